"""What can be taken away from the studio: files, lines that make the design again, a page for
any web server.
"""
