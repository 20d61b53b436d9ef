"""What can be done with released numbers afterwards, without the data and without paying."""
