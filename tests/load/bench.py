"""`make bench`: every measurement beside its baseline, in one run; the table goes to docs/evidence.md."""

import os
import platform
import tempfile
from pathlib import Path

from clubapp import clock
from tests.load import bench_answers, bench_directory, bench_lists, bench_live, bench_mail, bench_pages, bench_workers
from tests.load.figures import table

ROOT = Path(__file__).resolve().parent.parent.parent
EVIDENCE = ROOT / "docs" / "evidence.md"
BEGIN, END = "<!-- bench -->\n", "<!-- /bench -->\n"


def main() -> None:
    """Measure, print, and write the table down."""
    with tempfile.TemporaryDirectory() as folder:
        figures = [
            *bench_pages.measure(Path(folder) / "pages"),
            *bench_directory.measure(Path(folder) / "directory"),
            *bench_lists.measure(Path(folder) / "lists"),
            *bench_answers.measure(Path(folder) / "answers"),
            *bench_live.measure(Path(folder) / "live"),
            *bench_mail.measure(Path(folder) / "mail"),
            *bench_workers.measure(Path(folder) / "workers"),
        ]
    shown = table(figures)
    print(shown)
    today = clock.to_local(clock.now()).date()
    _write_down(f"{today}, `make bench`, {os.cpu_count()} cores, {platform.system()}.\n\n{shown}\n")


def _write_down(text: str) -> None:
    before, _, rest = EVIDENCE.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    EVIDENCE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
