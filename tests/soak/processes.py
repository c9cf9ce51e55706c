"""What every process of these tests is a copy of: one that has loaded the program, and them, once."""

import multiprocessing

from bench import copies

PROCESSES = multiprocessing.get_context("forkserver")
# One list for all: the process that is copied is started once, by whoever comes first.
_OWN = [f"tests.soak.{name}" for name in ("announcer", "answerer", "deliverer", "racer")]
_LOADED_LATE = ["fastapi_mail.connection", "clubapp.infra.pdf_sheet"]  # by the program, once it delivers
PROCESSES.set_forkserver_preload([copies.__name__, *_OWN, *_LOADED_LATE])
