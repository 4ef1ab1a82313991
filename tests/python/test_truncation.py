"""Logs cut anywhere: an error, or what is left with a problem; never a crash, never wrong records."""

from __future__ import annotations

from pathlib import Path

import darrow
import pytest
from corpus import NO_LOGS
from logwriter import layout_of, read_header
from robustness import Content, Watch, in_child, is_prefix, logs_of, readable, stored

STEP = 97
pytestmark = pytest.mark.skipif(not logs_of("small"), reason=NO_LOGS)


def complaint(log: bytes, whole: Content, cut: int) -> str | None:
    """What is wrong with reading the first `cut` bytes of a log."""
    header_size = layout_of(log[:8].decode()).size
    try:
        part = darrow.open(log[:cut], strict=False)
    except darrow.DarrowError as e:
        if cut < header_size and e.code not in ("not_a_log", "truncated"):
            return f"code {e.code} for a cut header"
        return None
    if cut < header_size:
        return "opened without a whole header"
    content = Content.of(part)
    if not content.errors and not content.same(whole):
        return "something is missing and no error is reported"
    if content.job not in (None, whole.job):
        return "another job"
    if not content.names.items() <= whole.names.items():
        return "names that the log does not have"
    regions = read_header(log).modules
    for name, table in content.tables.items():
        if not is_prefix(table, whole.tables[name]):
            return f"{name}: records that the log does not have"
        if regions[name].offset + regions[name].length <= cut and not table.equals(whole.tables[name]):
            return f"{name}: records are missing though its region is whole"
    return None


def cut_everywhere(files: list[str]) -> list[str]:
    watch, complaints = Watch(), []
    for file in map(Path, files):
        log = file.read_bytes()
        try:
            whole = Content.of(darrow.open(log, strict=False))
        except darrow.DarrowError:
            continue  # a log without a header
        for cut in range(0, len(log), STEP):
            watch(f"{file.stem}, {cut} of {len(log)} bytes")
            if text := complaint(log, whole, cut):
                complaints.append(f"{file.stem}, {cut} of {len(log)} bytes: {text}")
    return complaints


def test_cut_at_every_97th_byte():
    assert in_child(cut_everywhere, [str(file) for file in logs_of("small")]) == []


def cut_at_every_byte(file: str) -> list[str]:
    watch, complaints = Watch(), []
    log = Path(file).read_bytes()
    whole = Content.of(darrow.open(log, strict=False))
    for cut in range(len(log)):
        watch(f"{cut} of {len(log)} bytes")
        if text := complaint(log, whole, cut):
            complaints.append(f"{cut} of {len(log)} bytes: {text}")
    return complaints


def test_cut_at_every_byte():
    """Region borders included: all kinds of modules are in this log."""
    assert in_child(cut_at_every_byte, str(next(f for f in logs_of("small") if f.stem == "synth-all-modules"))) == []


def test_cut_in_the_last_stream_of_many():
    """Streams before the cut are whole: the records of those ranks are all there."""
    file = next(f for f in logs_of("small") if f.stem == "many-shared-per-rank")
    log = file.read_bytes()
    last = max(read_header(log).modules.values(), key=lambda region: region.offset)
    whole = darrow.open(log, strict=False)
    part = darrow.open(log[: last.offset + last.length - 8], strict=False)
    assert last.name == "HEATMAP"
    assert len(part[last.name]) == len(whole[last.name]) - 1
    assert is_prefix(stored(part, last.name), stored(whole, last.name))
    assert {p.kind for p in part.verify()} >= {"region_outside_file", "stream_truncated"}
    assert readable(part) == readable(whole)
