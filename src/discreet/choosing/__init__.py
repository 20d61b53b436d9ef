"""Choosing a mechanism: the paper's flowchart, mechanisms side by side, and the census of its four
behaviours.

Everything here reads mechanisms made by `core.named` and `designer`; nothing here makes one of its
own. The functions live in their modules (`recommendation`, `comparison`, `census`) and are public
as `discreet.recommend`, `discreet.compare` and `discreet.census`.
"""
