"""Layers of a job file by file: bytes of each from an independent reader, and what they have in common."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import darrow
import pytest
from corpus import DATA, LOGS
from made import log_of, row
from plain import read_plain, records

pytest.importorskip("pyarrow")

FILE_KEY = {"H5D": "file_rec_id", "PNETCDF_VAR": "file_rec_id", "MPI-IO": "id", "POSIX": "id"}
BELOW = {"H5D": ("MPI-IO", "POSIX"), "PNETCDF_VAR": ("MPI-IO", "POSIX"), "MPI-IO": ("POSIX",)}
PREFIX = {"MPI-IO": "MPIIO"}


def plain_bytes(path: Path) -> dict[str, dict[int, list[int]]]:
    """Of each module bytes read and written of each file, as the bytes of the log say."""
    log = read_plain(path)
    moved: dict[str, dict[int, list[int]]] = {}
    for module, key in FILE_KEY.items():
        if module not in log.modules:
            continue
        columns = records(log, module)
        files: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        prefix = PREFIX.get(module, module)
        read, written = (columns[f"{prefix}_BYTES_{way}"] for way in ("READ", "WRITTEN"))
        for file, r, w in zip(columns[key], read, written, strict=True):
            files[int(file)][0] += int(r)
            files[int(file)][1] += int(w)
        files.pop(0, None)
        moved[module] = dict(files)
    return moved


def rows_of(log: darrow.Log) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = log.layers().to_pylist()
    return rows


@pytest.mark.parametrize(
    "name",
    ["hdf5-parallel", "hdf5-many-datasets", "hdf5-shapes", "bzip2-pnetcdf-vars", "dxt-v3-mpiio", "posix-no-reduction"],
)
def test_against_the_bytes(name: str) -> None:
    path = LOGS / "small" / f"{name}.darshan"
    if not path.exists():
        pytest.skip("needs the corpus")
    moved = plain_bytes(path)
    rows = rows_of(darrow.open(path))
    assert {(r["layer"], r["id"]) for r in rows} == {(m, f) for m in BELOW for f in moved.get(m, {})}
    for found in rows:
        own = moved[found["layer"]][found["id"]]
        below = next((m for m in BELOW[found["layer"]] if found["id"] in moved.get(m, {})), None)
        assert found["below"] == below
        for i, way in enumerate(("read", "written")):
            assert found[f"bytes_{way}"] == own[i]
            if below is None:
                assert found[f"through_{way}"] is None
                continue
            there = moved[below][found["id"]][i]
            assert found[f"below_{way}"] == there
            assert found[f"through_{way}"] + found[f"only_above_{way}"] == own[i]
            assert found[f"through_{way}"] + found[f"only_below_{way}"] == there
            assert min(found[f"only_above_{way}"], found[f"only_below_{way}"]) == 0


def test_nothing_is_negative() -> None:
    """Of all logs that we have: parts are none below 0, and make up what they are parts of."""
    seen = 0
    for path in sorted(DATA.glob("*.darshan")):
        try:
            log = darrow.open(path, strict=False)
        except darrow.DarrowError:
            continue
        for found in rows_of(log):
            numbers = {name: value for name, value in found.items() if name != "id" and isinstance(value, int)}
            assert min(numbers.values(), default=0) >= 0, (path.name, found)
            for way in ("read", "written"):
                if found[f"through_{way}"] is not None:
                    assert found[f"through_{way}"] + found[f"only_above_{way}"] == found[f"bytes_{way}"]
                    seen += 1
    assert seen > 20


def test_more_above_than_below() -> None:
    """Half of the bytes stayed in a collective buffer; the other file was never recorded by POSIX."""
    log = log_of(
        {
            "MPI-IO": [row("MPI-IO", 7, 0, BYTES_READ=100, BYTES_WRITTEN=40), row("MPI-IO", 8, 0, BYTES_WRITTEN=5)],
            "POSIX": [
                row("POSIX", 7, 0, BYTES_READ=20, BYTES_WRITTEN=30),
                row("POSIX", 7, 1, BYTES_READ=30, BYTES_WRITTEN=30),
            ],
        },
        names=[(7, b"/a"), (8, b"/b")],
    )
    first, second = rows_of(log)
    assert (first["name"], first["layer"], first["below"]) == ("/a", "MPI-IO", "POSIX")
    assert [first[f"{part}_read"] for part in ("bytes", "below", "through", "only_above", "only_below")] == [
        100,
        50,
        50,
        50,
        0,
    ]
    assert [first[f"{part}_written"] for part in ("bytes", "below", "through", "only_above", "only_below")] == [
        40,
        60,
        40,
        0,
        20,
    ]
    assert (second["name"], second["below"], second["bytes_written"]) == ("/b", None, 5)
    assert second["through_written"] is second["only_above_written"] is second["below_written"] is None


def test_datasets_of_a_file_come_together() -> None:
    """Two datasets of one file, one of an unknown one, straight on POSIX."""
    log = log_of(
        {
            "H5D": [
                row("H5D", 11, 0, file_rec_id=7, BYTES_READ=3),
                row("H5D", 12, 1, file_rec_id=7, BYTES_READ=4),
                row("H5D", 13, 1, file_rec_id=0, BYTES_READ=9),
            ],
            "POSIX": [row("POSIX", 7, -1, BYTES_READ=10)],
        },
        names=[(7, b"/a.h5")],
    )
    (found,) = rows_of(log)
    assert (found["id"], found["layer"], found["below"]) == (7, "H5D", "POSIX")
    assert (found["bytes_read"], found["below_read"], found["through_read"], found["only_below_read"]) == (7, 10, 7, 3)


def test_a_log_without_layers() -> None:
    table = log_of({"POSIX": [row("POSIX", 7, 0, BYTES_READ=1)]}).layers()
    assert table.num_rows == 0
    assert table.column_names[:4] == ["id", "name", "layer", "below"]
