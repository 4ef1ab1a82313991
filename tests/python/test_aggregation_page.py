"""The examples of docs/aggregation.md and of the README give what they say."""

from __future__ import annotations

import doctest
import re
from typing import Any

import darrow
import made
import pytest
from corpus import DATA, ROOT

PAGE = ROOT / "docs" / "aggregation.md"
HEATMAP_OF_POSIX = 16592106915301738621

needs_page = pytest.mark.skipif(not PAGE.exists(), reason="needs the documentation")


def value(text: str) -> Any:
    if "," in text:
        return [int(part) for part in text.split(",")]
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


def table(text: str) -> list[dict[str, Any]]:
    """Rows of a table of words under a header."""
    header, *lines = (line.split() for line in text.strip().splitlines())
    return [dict(zip(header, map(value, line), strict=True)) for line in lines]


def maker(module: str) -> Any:
    return lambda text: made.records_of(module, table(text), strict=False)


def heatmap(text: str) -> darrow.Records:
    rows = table(text)
    records = (made.heatmap(HEATMAP_OF_POSIX, r["rank"], r["bin_width"], r["write"], r["read"]) for r in rows)
    return made.heatmaps(records, strict=False)["HEATMAP"]


def examples() -> dict[str, str]:
    """The blocks of code with prompts, by the heading above them."""
    blocks: dict[str, str] = {}
    heading = ""
    for match in re.finditer(r"^#+ ([^\n]*)$|^```python\n(>>> .*?)^```$", PAGE.read_text("utf-8"), re.M | re.S):
        if match[1]:
            heading = match[1]
        else:
            blocks[heading] = blocks.get(heading, "") + match[2] + "\n"
    return blocks


@needs_page
def test_page_has_examples() -> None:
    assert len(examples()) >= 13
    text = PAGE.read_text("utf-8")
    assert text.count("```") == 2 * text.count("```python")


@needs_page
@pytest.mark.parametrize("heading", examples() if PAGE.exists() else [])
def test_example(heading: str) -> None:
    modules = {name: maker(name.upper()) for name in ("posix", "stdio", "h5d", "mdhim")}
    names = {"darrow": darrow, "heatmap": heatmap, "log": darrow.open(DATA / "example.darshan"), **modules}
    run(examples()[heading], names, str(PAGE))


def test_readme() -> None:
    blocks = re.findall(r"^```python\n(>>> .*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)
    assert blocks
    names = {"darrow": darrow, "log": darrow.open(DATA / "example.darshan")}
    for block in blocks:
        run(block, names, "README.md")


def run(code: str, names: dict[str, Any], page: str) -> None:
    test = doctest.DocTestParser().get_doctest(code, names, page, page, 0)
    report: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert results.attempted
    assert not results.failed, "\n".join(report)
