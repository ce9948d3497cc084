"""Grading: what a reply says, and whether that is the answer; pure, in exact decimals, never raising on a reply."""

from .grade import Profile, grade
from .labels import label_share

__all__ = ["Profile", "grade", "label_share"]
