"""Every way a value is shown: terminal text, notebook HTML, charts."""
