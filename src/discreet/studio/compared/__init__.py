"""What is compared: the design, the known mechanisms and the pinned designs, in pictures first
and then in numbers.
"""
