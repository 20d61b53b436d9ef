"""Pictures of several panels, drawn as plain SVG."""
