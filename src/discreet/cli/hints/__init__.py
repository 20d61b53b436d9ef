"""What a command says to do next: lines to copy."""
