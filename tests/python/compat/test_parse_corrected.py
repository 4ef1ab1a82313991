"""`darrow parse` and `darrow dxt` without --compat: the values that an independent decoder reads of our own logs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from corpus import SPEC, Columns, Expected, few, mount_of, shown, text
from golden_text import ENVIRONMENT
from parser_lines import data_lines
from plain import perf_header, read_plain
from test_cli import DONE, darrow
from test_expected import cases, mounts_of, stored

UNSIGNED = {"id", "file_rec_id", "POSIX_RENAMED_FROM", "oid_hi", "oid_lo"}


@pytest.fixture(scope="module", params=cases())
def expected(request: pytest.FixtureRequest) -> Expected:
    return request.param


def escaped(value: str) -> str:
    """Text as it stands in a line: control characters and bytes that are not UTF-8 as \\xNN."""
    return re.sub("[\\x00-\\x1f\\x7f]", lambda match: f"\\x{ord(match[0]):02x}", shown(value))


def component_mount(name: str, mounts: list[tuple[str, str]]) -> tuple[str, str]:
    path, kind = mount_of(name, mounts)
    return (escaped(path), escaped(kind)) if path is not None and kind is not None else ("UNKNOWN", "UNKNOWN")


def signed(module: str, columns: Columns) -> Columns:
    """Integers with the sign that lines show."""
    if SPEC.modules[module]["kind"] == "header+perf":
        return columns
    return {
        name: values.view("i8")
        if isinstance(values, np.ndarray) and values.dtype == "u8" and name not in UNSIGNED
        else values
        for name, values in columns.items()
    }


def lines_of(expected: Expected) -> Iterator[str]:
    """The data lines of all modules."""
    names = {int(key): text(value) for key, value in expected.entry["names"].items()}
    stored_name = {escaped(name): name for name in names.values()}
    mounts = mounts_of(expected)
    plain = read_plain(expected.path)
    for module in expected.entry["modules"]:
        if module.startswith("DXT_") or not expected.entry["modules"][module]["records"]:
            continue
        kind = SPEC.modules[module]["kind"]
        header = perf_header(plain, module) if kind == "header+perf" else None
        columns = signed(module, stored(expected, module))
        find = lambda name, _mounts: component_mount(stored_name[name], mounts)  # noqa: E731
        shown_names = {key: escaped(name) for key, name in names.items()}
        yield from data_lines(module, columns, header, shown_names, mounts, find)


def printed(*arguments: Any) -> list[str]:
    run = darrow(*arguments, env=ENVIRONMENT)
    assert run.returncode == DONE, run.stderr
    return run.stdout.decode().split("\n")


def test_data_lines(expected: Expected) -> None:
    ours = [line for line in printed("parse", expected.path) if line.count("\t") == 7 and not line.startswith("#")]
    theirs = list(lines_of(expected))
    wrong = [f"ours   {a}\ntheirs {b}" for a, b in zip(ours, theirs, strict=False) if a != b]
    assert not wrong, few(wrong)
    assert len(ours) == len(theirs)
