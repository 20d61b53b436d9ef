"""For jobs that run themselves: a run that is made once however often it is started, and what
its log says.
"""
