"""What the package computes itself: heat maps as matrices, and the OSTs behind an access."""

from __future__ import annotations

import pickle

import darrow
import pytest
from corpus import DATA
from darrow.heatmap import HeatmapRecords
from darrow.records import Reader
from darrow.striping import Layout

# Heat maps


def test_heatmap_matrix() -> None:
    log = darrow.open(DATA / "heatmap-25s.darshan")
    records = log["HEATMAP"].to_pylist()
    for layer in ("POSIX", "STDIO"):
        for op in ("write", "read", None):
            matrix = log["HEATMAP"].matrix(layer, op)
            assert list(matrix.ranks) == [0, 1, 2]
            assert matrix.values.shape == (3, matrix.nbins) == (3, 128)
            assert matrix.bin_width == 0.2
            for row in records:
                if row["layer"] == layer:
                    both = [w + r for w, r in zip(row["write"], row["read"], strict=True)]
                    assert matrix.values.tolist()[row["rank"]] == (both if op is None else row[op])
    assert matrix.values[0, 5] == matrix.values.tolist()[0][5]
    assert repr(matrix) == "<HeatmapMatrix STDIO read and write: 3 ranks x 128 bins of 0.2 s>"
    twin = pickle.loads(pickle.dumps(matrix))
    assert twin == matrix
    assert twin.values.shape == (3, 128)
    with pytest.raises(KeyError, match="POSIX, STDIO"):
        log["HEATMAP"].matrix("H5F")
    with pytest.raises(ValueError, match="op is"):
        log["HEATMAP"].matrix("POSIX", "both")


def test_heatmap_of_uneven_records() -> None:
    log = darrow.open(DATA / "hm_mis8.darshan", strict=False)
    rows = log["HEATMAP"].to_pylist()
    assert len({row["nbins"] for row in rows}) == 2
    (layer,) = {row["layer"] for row in rows}
    matrix = log["HEATMAP"].matrix(layer, "write")
    assert matrix.nbins == max(row["nbins"] for row in rows)
    assert sum(map(sum, matrix.values.tolist())) == sum(sum(row["write"]) for row in rows)


class FakeHeatmap(HeatmapRecords):
    """Heat maps from Python values."""

    __slots__ = ("rows",)

    def __init__(self, nprocs: int, rows: list[tuple[int, float, list[int]]]) -> None:
        source = type("Source", (), {"nprocs": nprocs})()
        super().__init__(Reader(source, "HEATMAP"))
        self.rows = rows

    def select(self, columns: object) -> FakeHeatmap:
        return self

    def column(self, name: str) -> list:
        if name == "layer":
            return ["POSIX"] * len(self.rows)
        return [row[{"rank": 0, "bin_width": 1, "write": 2, "read": 2}[name]] for row in self.rows]


def test_heatmap_rebins_to_the_widest() -> None:
    records = FakeHeatmap(4, [(0, 0.1, [1, 2, 3, 4, 5]), (2, 0.2, [10, 20]), (7, 0.05, [1] * 9), (0, 0.2, [100])])
    matrix = records.matrix("POSIX", "write")
    assert list(matrix.ranks) == [0, 1, 2, 3, 7]
    assert matrix.bin_width == 0.2
    assert matrix.values.tolist() == [[103, 7, 5], [0, 0, 0], [10, 20, 0], [0, 0, 0], [4, 4, 1]]
    assert records.matrix("POSIX").values.tolist()[0] == [206, 14, 10]


def test_heatmap_of_damaged_sizes() -> None:
    nan, inf = float("nan"), float("inf")
    for width in (0.0, -1.0, nan, inf):
        assert FakeHeatmap(1, [(0, width, [1, 2])]).matrix("POSIX", "read").values.tolist() == [[1, 2]]
    assert FakeHeatmap(0, [(2**40, 0.1, [])]).matrix("POSIX").values.tolist() == [[0]]
    with pytest.raises(ValueError, match=r"long\(\)"):
        FakeHeatmap(2**40, [(0, 0.1, [1])]).matrix("POSIX")


# Striping


def component(start: int, end: int, size: int, osts: list[int], count: int | None = None) -> dict[str, object]:
    count = len(osts) if count is None else count
    return {"ext_start": start, "ext_end": end, "stripe_size": size, "stripe_count": count, "osts": osts}


def test_osts_of_a_plain_layout() -> None:
    layout = Layout([component(0, -1, 1024, [7, 3, 9])])
    assert layout.osts(0, 1) == [7]
    assert layout.osts(1023, 1) == [7]
    assert layout.osts(1023, 2) == [7, 3]
    assert layout.osts(1024, 2048) == [3, 9]
    assert layout.osts(2048, 2048) == [9, 7]
    assert layout.osts(5000, 10**18) == [3, 9, 7]
    assert layout.osts(2**62, 1) == [[7, 3, 9][(2**62 // 1024) % 3]]
    assert layout.osts(10, 0) == layout.osts(10, -5) == []


def test_osts_of_a_progressive_layout() -> None:
    second, third = component(1000, 5000, 500, [4, 5, 6]), component(5000, -1, 1000, [8, 4])
    layout = Layout([component(0, 1000, 100, [1]), second, third])
    assert layout.osts(0, 1000) == [1]
    assert layout.osts(990, 20) == [1, 6]  # byte 1000 is in stripe 2 of the second component
    assert layout.osts(900, 1200) == [1, 6, 4, 5]
    assert layout.osts(4999, 2) == [4]  # stripe 0 of the second component, then stripe 1 of the third
    assert layout.osts(0, 10**6) == [1, 6, 4, 5, 8]


def test_osts_of_odd_layouts() -> None:
    on_mdt = Layout([component(0, 64, 64, [], 0), component(64, -1, 64, [2, 3])])
    assert on_mdt.osts(0, 64) == []
    assert on_mdt.osts(60, 10) == [3]
    mirrored = Layout([component(0, -1, 10, [1, 2]), component(0, -1, 10, [8, 9])])
    assert mirrored.osts(5, 10) == [1, 2]
    overstriped = Layout([component(0, -1, 10, [1, 2, 1, 2])])
    assert overstriped.osts(0, 40) == [1, 2]
    gap = Layout([component(100, 200, 10, [1]), component(300, 310, 10, [2])])
    assert gap.osts(0, 400) == [1, 2]
    assert gap.osts(210, 50) == []
    assert Layout([component(0, -1, 10, [1], 4)]).osts(0, 40) == [1]  # a damaged record: fewer OSTs than stripes
    assert Layout([component(0, -1, 1, [1, 2], 2**62)]).osts(1, 2**61) == [2]
    assert Layout([component(0, -1, 0, [1]), component(0, -1, 10, [1], -3)]).osts(0, 40) == []
    assert Layout([component(50, 20, 10, [1])]).osts(0, 100) == []
    assert Layout([]).osts(0, 100) == []


def test_osts_byte_by_byte() -> None:
    layout = Layout([component(0, 30, 5, [1, 2]), component(40, 90, 7, [3, 4, 5]), component(90, -1, 16, [6, 1])])

    def slow(offset: int, length: int) -> list[int]:
        found = []
        for byte in range(offset, offset + length):
            for start, end, size, osts in ((0, 30, 5, [1, 2]), (40, 90, 7, [3, 4, 5]), (90, 10**9, 16, [6, 1])):
                if start <= byte < end and osts[byte // size % len(osts)] not in found:
                    found.append(osts[byte // size % len(osts)])
        return found

    for offset in range(130):
        for length in range(60):
            assert layout.osts(offset, length) == slow(offset, length), (offset, length)
