#!/usr/bin/env python3
"""Print what pyproject.toml requires, one requirement a line: `build` for building, else the name of an extra."""

import sys
from pathlib import Path

import tomllib

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
lists = {"build": project["build-system"]["requires"], **project["project"]["optional-dependencies"]}
for name in sys.argv[1:]:
    print(*lists[name], sep="\n")
