"""The letters of every page and picture: Inter, by the Inter Project Authors (OFL.txt beside
this file).
"""
