"""Makes the helpers beside this file importable, for the tests in folders below too; `--every N`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every", type=int, default=1, metavar="N", help="of each test only every N-th case")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of tests with many cases every N-th, the first among them: for runs under tools that make everything slow."""
    every = config.getoption("every")
    seen: Counter[str] = Counter()
    chosen, left_out = [], []
    for item in items:
        test = item.nodeid.partition("[")[0]
        (left_out if seen[test] % every else chosen).append(item)
        seen[test] += 1
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = chosen
