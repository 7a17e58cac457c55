"""Tests of what is learnt from sessions."""
