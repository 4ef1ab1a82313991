"""Makes the helpers beside this file importable, for the tests in folders below too."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
