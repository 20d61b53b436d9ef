"""What is said of mechanisms that are chosen among."""
