"""Packages that are imported only when something needs them."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def load(module: str, caller: str) -> Any:
    """Imports a package of an extra; the ImportError says how to get it."""
    try:
        __import__(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"{caller} needs {package}: pip install {package}", name=package) from error
    return sys.modules[module]
