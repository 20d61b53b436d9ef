"""Reading released numbers: from the outputs, their sizes and their mechanisms alone, never from the raw data."""
