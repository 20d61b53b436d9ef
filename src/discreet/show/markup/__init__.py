"""Tables as the markup of other writing: LaTeX and Markdown."""
