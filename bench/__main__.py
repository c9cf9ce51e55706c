"""`make bench`: every measurement beside its baseline, in one run; the table goes to docs/evidence.md."""

import os
import platform
import tempfile
from pathlib import Path

from bench import (
    bench_admin,
    bench_answers,
    bench_arrivals,
    bench_cockpit,
    bench_crowd,
    bench_directory,
    bench_finder,
    bench_lists,
    bench_live,
    bench_mail,
    bench_pages,
    bench_seating,
    bench_workers,
)
from bench.figures import Figure, table
from clubapp import clock

PARTS = (
    bench_pages,
    bench_directory,
    bench_finder,
    bench_lists,
    bench_admin,
    bench_answers,
    bench_arrivals,
    bench_cockpit,
    bench_crowd,
    bench_live,
    bench_mail,
    bench_seating,
    bench_workers,
)
ROOT = Path(__file__).resolve().parent.parent
EVIDENCE = ROOT / "docs" / "evidence.md"
BEGIN, END = "<!-- bench -->\n", "<!-- /bench -->\n"


def main() -> None:
    """Measure, print, and write the table down."""
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        for each in PARTS:
            measured = each.measure(Path(folder) / each.__name__)
            print(table(measured), flush=True)
            figures += measured
    shown = table(figures)
    today = clock.to_local(clock.now()).date()
    where = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    _write_down(f"{today}, `make bench`, {where}.\n\n{shown}\n")


def _write_down(text: str) -> None:
    before, _, rest = EVIDENCE.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    EVIDENCE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
