"""Tests of the looks."""
