"""How the command line words things: parameters as they are typed, and commands to copy."""
