"""Tests of draughts in text lines."""
