"""Packed records side by side with PyDarshan's: the same bytes, and the same results when its library takes ours."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path

import pytest
from copies import BY_HAND, paths
from corpus import LOGS
from peer import answers
from pitfalls import rules_for
from plain import read_plain
from test_pydarshan import CANNOT

pytestmark = [
    pytest.mark.compat,
    pytest.mark.skipif(
        importlib.util.find_spec("darshan") is None, reason="needs PyDarshan (pip install darshan==3.5.0)"
    ),
]

SCRIPT = Path(__file__).with_name("pydarshan_records.py")
MODULES = ("POSIX", "MPI-IO", "STDIO", "DFS", "DAOS")
OBJECT_IDS = {"DFS": 32, "DAOS": 48}
"""Bytes at the end of a record that PyDarshan leaves as they are in memory: its frames have no pools and objects."""


def chosen() -> list[Path]:
    """Logs with records of these modules that PyDarshan reads without mistakes of its own."""
    found = []
    for folder in ("data", "small", "synthetic", "upstream"):
        for path in paths(folder):
            if path.stem in BY_HAND:
                continue
            plain = read_plain(path)
            order = {"<": "little", ">": "big"}[plain.order]
            here = [module for module in plain.modules.values() if module.name in MODULES and module.length]
            if not here or any(holds(plain) for holds in CANNOT.values()):
                continue
            if not any(rules_for(module.name, module.version, order) for module in here):
                found.append(path)
    return found[::2]


def test_packed_records() -> None:
    """Bytes of all records with a name, of both byte orders; the aggregate record and the metrics, in every digit."""
    seen: Counter[tuple[str, str]] = Counter()
    for path, answer in answers(SCRIPT, chosen()).items():
        assert isinstance(answer, dict), (path, answer)
        for module, (count, theirs, ours, expected, result) in answer.items():
            assert len(ours) == len(theirs)
            size = len(ours) // count
            tail = OBJECT_IDS.get(module, 0)
            for at in range(0, len(ours), size):
                assert ours[at : at + size - tail] == theirs[at : at + size - tail], (path, module, at // size)
            assert repr(result) == repr(expected), (path, module)
            seen[module, read_plain(path).order] += count
    if LOGS.exists():
        assert set(seen) == {(module, order) for module in MODULES for order in "<>"}
    assert seen
