"""Measures speed as ratios to a yardstick in the same run."""
