"""Your own table, without your data: group sizes alone say what a release would be worth."""
