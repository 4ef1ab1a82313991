"""Exports for the tests."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from darrow import _scan_shim
from darrow._export import Exported, export


def export_logs(logs: Sequence[str | Path], directory: Path, **options: Any) -> Exported:
    """Exports logs, which the tables name as they are given."""
    names = [str(log) for log in logs]
    return export(lambda tables: _scan_shim.Scan([os.fsencode(log) for log in names], list(tables)), names, directory, **options)
