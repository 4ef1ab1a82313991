#!/usr/bin/env python3
"""Print what pyproject.toml requires, one requirement a line: `build` for building, else the name of an extra."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
for what in sys.argv[1:]:
    build = what == "build"
    print(*(project["build-system"]["requires"] if build else project["project"]["optional-dependencies"][what]), sep="\n")
