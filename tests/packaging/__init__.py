"""Tests of the distribution: its types, its wheel, its names."""
