"""Records of many logs as one, or as one for each group."""

from __future__ import annotations
