"""`darrow dxt --compat` against every stored output of darshan-dxt-parser: each line, and the exit code."""

from __future__ import annotations

import pytest
from corpus import NO_UPSTREAM, few
from golden_text import GOLDEN, differences, logs, run, runs

pytestmark = pytest.mark.skipif(not GOLDEN.exists(), reason=NO_UPSTREAM)


@pytest.mark.parametrize("log", logs())
def test_stored_outputs(log: str) -> None:
    compared = 0
    for stored in runs(log, "dxt-parser"):
        code, text, complaints = run("dxt", stored)
        found = differences(text, stored.text)
        assert not found, f"{stored.key}\n{few(found)}"
        assert code == stored.code, (stored.key, complaints)
        compared += 1
    assert compared == 4
