"""Pictures of numbers as dots on rows: what is compared lies on one line, and the way between is
the message.
"""
