"""What stands at the head of a report: pictures, each with what it shows as its title."""
