"""`GET /metrics`: the figures that a Prometheus gathers, for this machine's own or for one with the token.

Whichever process answers says the same: counts come from the database, the jobs' runs from
`clubapp.infra.job_status`, and the handlers' times from files that the processes of one machine share.
"""

import hmac
import logging
import math
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress

import anyio.to_thread
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, disable_created_metrics, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from clubapp import VERSION, clock
from clubapp import routes as paths
from clubapp.infra import job_status
from clubapp.infra.job_status import JobRun
from clubapp.services import backups
from clubapp.services.base.actors import SYSTEM
from clubapp.services.monitoring import metrics
from clubapp.services.monitoring.metrics import Metrics
from clubapp.settings import Settings, settings
from clubapp.web.screens.event_metrics import HANDLER_SECONDS
from clubapp.web.security.loopback import is_local
from clubapp.web.service_calls import read

log = logging.getLogger(__name__)

disable_created_metrics()
_NO_STORE = {"Cache-Control": "no-store"}


def routes() -> list[Route]:
    """The address of this module. Access: this machine, or the bearer of CLUB_METRICS_TOKEN."""
    return [Route(paths.METRICS, _metrics)]


async def _metrics(request: Request) -> Response:
    if not _may_read(request):
        return PlainTextResponse("Introuvable.", 404, _NO_STORE)
    try:
        signs = await read(metrics.read_metrics, SYSTEM)
    except Exception:  # its absence is what is told
        log.exception("the figures could not be read")
        signs = None
    return Response(
        await anyio.to_thread.run_sync(_render_metrics, signs),
        headers={**_NO_STORE, "Content-Type": CONTENT_TYPE_LATEST},
    )


def _may_read(request: Request) -> bool:
    token = settings().metrics_token
    shown = request.headers.get("authorization", "")
    if token and hmac.compare_digest(shown.encode(), f"Bearer {token}".encode()):
        return True
    return is_local(request)


def _render_metrics(signs: Metrics | None) -> bytes:
    registry = CollectorRegistry()
    registry.register(_ClubCollector(signs))
    if settings().workers > 1:
        MultiProcessCollector(registry)
    else:
        registry.register(HANDLER_SECONDS)
    return generate_latest(registry)


class _ClubCollector(Collector):
    """The figures that are counted at each request."""

    def __init__(self, signs: Metrics | None) -> None:
        self._signs = signs

    def collect(self) -> Iterable[Metric]:
        """All metrics; without the database only those that need none."""
        yield _gauge("club_database_up", "Whether the database answers.", int(self._signs is not None))
        if self._signs is not None:
            yield from _database_metrics(self._signs)
        yield from _job_metrics(job_status.read_runs())
        yield from _installation_metrics(settings())


def _database_metrics(signs: Metrics) -> Iterator[Metric]:
    yield _labelled_gauge("club_answers", "Invitations by answer.", "answer", signs.answers)
    yield _labelled_gauge("club_mails", "Messages by state.", "state", signs.mails)
    oldest = signs.waiting.oldest
    waited = (clock.now() - oldest).total_seconds() if oldest else 0
    yield _gauge("club_mail_oldest_pending_seconds", "For how long the oldest due message has waited.", max(0, waited))
    yield _gauge("club_mail_queue_paused", "Whether the queue of messages rests.", int(signs.is_paused))
    yield _gauge("club_sessions", "Living sessions.", signs.sessions)


def _installation_metrics(chosen: Settings) -> Iterator[Metric]:
    yield _labelled_gauge("club_info", "The version that serves.", "version", {VERSION: 1})
    if chosen.redis_url:
        yield _gauge("club_redis_up", "Whether Redis answers.", int(job_status.is_redis_up()))
    with suppress(OSError):  # a disk that is gone has no figure
        yield _gauge("club_disk_free_bytes", "Free space for the data.", shutil.disk_usage(chosen.data_dir).free)
    if chosen.backup_dir:
        latest = backups.find_latest(chosen)
        age = (clock.now() - latest.at).total_seconds() if latest and latest.is_whole else math.inf
        yield _gauge("club_backup_age_seconds", "Age of the last daily backup that is whole.", age)


def _job_metrics(known: dict[str, JobRun]) -> Iterator[Metric]:
    ages = {job: tick.age.total_seconds() for job, tick in known.items()}
    if ages:
        youngest = min(ages.values())
        yield _gauge("club_scheduler_tick_age_seconds", "Time since any job began or ended.", youngest)
    yield _labelled_gauge("club_job_tick_age_seconds", "Time since a job began or ended.", "job", ages)
    failed = {job: int(tick.problem != "") for job, tick in known.items()}
    yield _labelled_gauge("club_job_failed", "Whether the last run of a job failed.", "job", failed)


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=value)


def _labelled_gauge(name: str, meaning: str, label: str, values: dict[str, float] | dict[str, int]) -> Metric:
    made = GaugeMetricFamily(name, meaning, labels=[label])
    for key, value in values.items():
        made.add_metric([key], value)
    return made
