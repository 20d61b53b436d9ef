"""Pictures of histograms: of questions with more answers than yes and no."""
