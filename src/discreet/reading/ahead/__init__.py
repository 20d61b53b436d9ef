"""What reading a release will give, known before anything is drawn."""
