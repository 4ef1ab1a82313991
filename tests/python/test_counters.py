"""What a log tells of its own reading: sizes come from a plain reader, numbers of rows from the facts of the logs."""

from __future__ import annotations

from pathlib import Path

import darrow
import numpy as np
import pytest
from corpus import DATA, load
from plain import read_plain, records

LOG = DATA / "dxt-posix.darshan"


def region_bytes(path: Path, *modules: str) -> int:
    """Inflated bytes of modules."""
    log = read_plain(path)
    return sum(len(log.region(module)) for module in modules)


def test_one_module_is_read_and_nothing_else() -> None:
    log = darrow.open(LOG)
    opened = log.counters
    assert opened["columns_decoded"] == opened["records_copied"] == 0
    table = log["POSIX"].select(["id", "rank", "POSIX_OPENS", "POSIX_READS"]).to_arrow()
    read = log.counters
    assert read["bytes_inflated"] - opened["bytes_inflated"] == region_bytes(LOG, "POSIX")
    assert read["columns_decoded"] == 4
    assert read["records_copied"] == table.num_rows == load(DATA / "dxt-posix.facts.json")["records_in_log"]["POSIX"]


def test_names_are_read_when_they_are_asked_for() -> None:
    log = darrow.open(LOG)
    log["POSIX"].select(["id", "POSIX_OPENS"]).to_arrow()
    before = log.counters["bytes_inflated"]
    log["POSIX"].select(["name"]).to_arrow()
    plain = read_plain(LOG)
    names = sum(8 + len(name) + 1 for name in plain.names.values())
    assert log.counters["bytes_inflated"] - before == region_bytes(LOG, "POSIX") + names


@pytest.mark.parametrize("module", ["POSIX", "DXT_POSIX"])
def test_rows_that_are_left_out_are_not_copied(module: str) -> None:
    log = darrow.open(LOG)
    ranks = records(read_plain(LOG), module)["rank"]
    log[module].select(["rank"], ranks=[0]).to_arrow()
    assert log.counters["records_copied"] == np.count_nonzero(np.asarray(ranks) == 0)
