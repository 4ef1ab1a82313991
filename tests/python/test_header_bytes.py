"""Each byte of a header changed in turn: never a crash or a hang, flat memory, all it does not concern is there."""

from __future__ import annotations

import darrow
import pytest
from logwriter import Header, id_of_slot, module_name, read_header
from robustness import Content, Watch, in_child, log_bytes, peak_rss, same, summary

# Headers of 360 and 1328 bytes in both byte orders, all three compressions, one module to fifteen.
LOGS = [
    "synthetic/partial_be_3.00",
    "synthetic/partial_le_3.10",
    "synthetic/partial_be_3.20",
    "synthetic/partial_le_3.21",
    "synthetic/partial_be_3.41",
    "synthetic/dxt_DXT_POSIX_v2_be",
    "small/bzip2-lustre",
    "small/nocomp-hdf5-parallel",
    "small/merge-fork",
    "small/synth-all-modules",
]
CHANGES = {"xor 0xFF": lambda byte: byte ^ 0xFF, "+1": lambda byte: (byte + 1) & 0xFF}


def field_at(header: Header, at: int) -> str:
    """The header's field that byte `at` belongs to: "version", "names", the name of a module, ..."""
    layout = header.layout
    if at < 8:
        return "version"
    if at < 16:
        return "magic"
    if at == 16:
        return "compression"
    if at >= layout.versions:
        return module_name(id_of_slot((at - layout.versions) // 4, header.version))
    if at >= layout.map:
        return module_name(id_of_slot((at - layout.map) // 16, header.version))
    if at >= layout.names:
        return "names"
    return "partial" if at >= layout.partial else "padding"


def complaint(log: bytes, whole: Content, field: str) -> str | None:
    """What is wrong with reading a log in whose header a byte of `field` was changed."""
    try:
        read = darrow.open(log, strict=False)
    except darrow.DarrowError as e:
        refuses = {"magic": "not_a_log", "version": "unsupported_version", "compression": "unsupported_compression"}
        # Taken for another compression, nothing at all may be readable.
        fits = e.code == refuses.get(field) or (field == "compression" and e.code == "corrupt")
        return None if fits else f"refused: {e}"
    if field == "magic":
        return "opened with a wrong magic number"
    content = Content.of(read)
    if field in ("version", "compression"):  # 3.20 becomes 3.21, zlib becomes bzip2: anything may follow
        return None
    if field == "padding" and (content.errors or not content.same(whole)):
        return "padding matters"
    if field != "names" and (content.job, content.mounts, content.names) != (whole.job, whole.mounts, whole.names):
        return "another job or other names"
    for name, table in whole.tables.items():
        if name != field and not (name in content.tables and same(table, content.tables[name])):
            return f"{name} has other records"
    return None


def change_each_byte(names: list[str]) -> dict[str, list[str]]:
    watch, complaints = Watch(), {}
    for name in names:
        log = log_bytes(name)
        header, whole = read_header(log), Content.of(darrow.open(log, strict=False))
        before = peak_rss()
        for at in range(header.layout.size):
            for label, change in CHANGES.items():
                watch(f"{name}, byte {at} {label}")
                changed = bytearray(log)
                changed[at] = change(log[at])
                field = field_at(header, at)
                if text := complaint(bytes(changed), whole, field):
                    complaints.setdefault(f"{name}: {field}: {text}", []).append(f"{at} {label}")
        if peak_rss() - before > 100 << 20:
            complaints[f"{name}: memory"] = [f"{(peak_rss() - before) >> 20} MiB more than for the intact log"]
    return complaints


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(LOGS[:4], id="360 bytes"),
        pytest.param(LOGS[4:9], id="1328 bytes", marks=pytest.mark.slow),
        pytest.param(LOGS[9:], id="many modules", marks=pytest.mark.slow),
    ],
)
def test_each_byte_of_the_header(names):
    complaints = in_child(change_each_byte, names)
    assert not complaints, summary(complaints)
