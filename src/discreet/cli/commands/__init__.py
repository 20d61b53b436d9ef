"""One module for the commands of one kind; `discreet.cli` imports it when a command of it is
run.
"""
