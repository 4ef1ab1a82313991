"""`darrow parse --compat` against every stored output of darshan-parser: each line, and the exit code."""

from __future__ import annotations

from collections import Counter

import pytest
from corpus import NO_UPSTREAM, few
from golden_text import GOLDEN, differences, logs, run, runs

pytestmark = pytest.mark.skipif(not GOLDEN.exists(), reason=NO_UPSTREAM)

CRASHED = -11
CRASHES = {
    "derived__crafted-be-partial-posix": "B7: the partial flag of a big-endian log names a module that does not exist"
}
"""Logs at which darshan-parser dies. What it wrote so far is stored, up to a full buffer; we go on, and end well."""


@pytest.mark.parametrize("log", logs())
def test_stored_outputs(log: str) -> None:
    compared, used = 0, Counter()
    for stored in runs(log, "parser"):
        if any(option.startswith("--file-list") for option in stored.options):
            continue
        code, text, complaints = run("parse", stored)
        crashed = stored.code == CRASHED and log in CRASHES
        used["crashes"] += crashed
        found = differences(text, stored.text, is_cut=crashed)
        assert not found, f"{stored.key}\n{few(found)}"
        assert code == (0 if crashed else stored.code), (stored.key, complaints)
        compared += 1
    assert compared == 22
    assert bool(used["crashes"]) == (log in CRASHES), "an exception that nothing needs"
