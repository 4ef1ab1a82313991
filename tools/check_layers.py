#!/usr/bin/env python3
"""Check the structure of the sources: who includes whom, who names a counter; and that no path of a machine is kept.

The folders and the one direction of dependence are described in docs/architecture.md.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Folder -> the folders directly below it. What those stand on may be included too.
BELOW: dict[str, set[str]] = {
    "base": set(),
    "format": {"base"},
    "schema": {"base"},
    "table": {"schema"},
    "modules": {"schema", "table"},
    "codec": {"format", "table"},
    "log": {"codec", "modules"},
    "group": {"format", "table"},
    "aggregate": {"group", "log"},
    "scan": {"aggregate"},
    "write": {"log", "codec"},
    "merge": {"aggregate", "write"},
    "text": {"aggregate"},
    "diff": {"text"},
    "arrow": {"table"},
    "render": {"table"},
}
# Front ends: they see the public headers, and of the rest only these folders.
FRONT_ENDS: dict[str, set[str]] = {"cli": {"render"}, "bindings": {"render"}, "capi": set()}
# Public header -> the folder that implements it.
PUBLIC: dict[str, str] = {
    "version": "base",
    "result": "base",
    "problem": "base",
    "buffer": "base",
    "time_window": "base",
    "job": "format",
    "names": "format",
    "hosts": "format",
    "module": "schema",
    "table": "table",
    "pattern": "group",
    "grouping": "group",
    "log": "log",
    "trace": "log",
    "summary": "aggregate",
    "group_summary": "aggregate",
    "aggregate": "aggregate",
    "record_sums": "aggregate",
    "metrics": "aggregate",
    "compat": "aggregate",
    "scan": "scan",
    "log_paths": "scan",
    "name_hash": "base",
    "write": "write",
    "merge": "merge",
    "parser_text": "text",
    "diff": "diff",
    "arrow": "arrow",
    "arrow_abi": "arrow",
}

INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^">]+)[">]')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
COUNTER = re.compile(
    r"\b(POSIX|MPIIO|STDIO|H5[FD]|PNETCDF_(FILE|VAR)|BGQ|LUSTRE|MDHIM|HEATMAP|DFS|DAOS|APXC|APMPI)_[A-Z0-9_]*"
)
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|home|Users)/")


@cache
def reach(folder: str) -> frozenset[str]:
    """The folder itself and all that it stands on."""
    return frozenset({folder}).union(*(reach(below) for below in BELOW[folder]))


def folder_of(path: Path) -> str | None:
    """The folder in BELOW or FRONT_ENDS that a source file belongs to."""
    match path.parts:
        case ("src", folder, *_) | ("python", "bindings" as folder, *_):
            return folder
        case ("include", "darrow", *_):
            return PUBLIC.get(path.stem, f"no layer for {path.name}")
    return None


def include_problem(path: Path, included: str) -> str | None:
    """What is wrong with an include line of `path`, if anything."""
    folder = folder_of(path)
    target = Path(included)
    if folder is None or len(target.parts) < 2:
        return None  # not layered, or a file of the same folder or of the system
    if folder not in BELOW and folder not in FRONT_ENDS:
        return f"'{folder}' is not in the tables of tools/check_layers.py"
    if target.parts[0] == "darrow":
        layer = PUBLIC.get(target.stem)
        if layer is None:
            return f"'{included}' is not in the tables of tools/check_layers.py"
        allowed = folder in FRONT_ENDS or layer in reach(folder)
    elif (layer := target.parts[0]) in BELOW or layer in FRONT_ENDS:
        allowed = layer == folder or layer in FRONT_ENDS.get(folder, reach(folder) if folder in BELOW else set())
    else:
        return None
    return None if allowed else f"{folder} must not include '{included}' ({layer})"


def counters_in_cpp(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        for literal in STRING.findall(line.partition("//")[0]):
            if found := COUNTER.search(literal):
                yield number, found[0]


def counters_in_python(text: str) -> Iterator[tuple[int, str]]:
    """Names of counters in strings, doc strings aside."""
    tree = ast.parse(text)
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docs:
            continue
        if found := COUNTER.search(node.value):
            yield node.lineno, found[0]


def problems_of(path: Path, text: str) -> Iterator[tuple[int, str]]:
    lines = list(enumerate(text.splitlines(), 1))
    if path.suffix in {".cpp", ".hpp", ".h"}:
        for number, line in lines:
            if (match := INCLUDE.match(line)) and (problem := include_problem(path, match[1])):
                yield number, problem
    if path.parts[0] in {"src", "include", "python"} and path.parts[:2] != ("src", "modules"):
        names: Iterator[tuple[int, str]] = iter(())
        if path.suffix in {".cpp", ".hpp", ".h"}:
            names = counters_in_cpp(text)
        elif path.suffix == ".py":
            names = counters_in_python(text)
        for number, name in names:
            yield number, f"names the counter {name}; only src/modules does"
    for number, line in lines:
        if path.parts[0] != "tests" and (found := MACHINE_PATH.search(line)):
            yield number, f"names a path of a machine ({found[0]}…)"


def main() -> int:
    command = ["git", "ls-files", "-coz", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    bad = 0
    for name in filter(None, listed.split("\0")):
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue  # binary, or removed but not yet committed
        for number, problem in problems_of(Path(name), text):
            print(f"{name}:{number}: {problem}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
