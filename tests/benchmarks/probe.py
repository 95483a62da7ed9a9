"""What only a fresh process can tell: import time, opening to first answer, resident memory.

``python -m tests.benchmarks.probe import`` or ``… open FOLDER SET POOL QUERY…``: one JSON line.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def resident_bytes() -> int | None:
    """This process's resident memory; None where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return None
    for line in status.read_text("utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return 1024 * int(line.split()[1])
    return None


def main() -> None:
    """Measure what the arguments name."""
    began, used = time.perf_counter(), time.process_time()
    import mnemis  # noqa: F401 # pyright: ignore[reportUnusedImport] - importing is the point

    found: dict[str, object] = {
        "import": time.perf_counter() - began,
        "import_processor": time.process_time() - used,
    }
    if sys.argv[1] == "open":
        found |= _opened(*sys.argv[2:])
    print(json.dumps(found))


def _opened(folder: str, set_: str, pool: str, *queries: str) -> dict[str, object]:
    from mnemis import Config, Mnemis

    began, used = time.perf_counter(), time.process_time()
    with Mnemis.open(folder, config=Config(consolidate="manual")) as mnemis:
        memory = mnemis.scope(set_, pool)
        opened = time.perf_counter()
        memory.recall(queries[0])
        answered, used = time.perf_counter(), time.process_time() - used
        for query in queries:
            memory.recall(query)
        with mnemis.store.view(memory.scope) as view:
            entries = sum(view.stats().entries.values())
        return {
            "open": opened - began,
            "first_answer": answered - began,
            "first_answer_processor": used,
            "resident": resident_bytes(),
            "vectors": entries * mnemis.embedder.fingerprint.dimension * 4,
        }


if __name__ == "__main__":
    main()
