"""How many answers a second one process stores and how long the slowest wait, as the page's form posts them, beside a
bare endpoint that does the same reads and writes; how a thousand people answer within a minute; what a first visit of
the page weighs, and how long an answer takes on a slow phone.
"""

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page

from bench import weight
from bench.bench_pages import SLOW_4G, _browser  # pyright: ignore[reportPrivateUsage]
from bench.figures import Figure, baseline, percentile
from clubapp import clock, routes
from clubapp.database import transaction
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site
from tests.factories import add_event, add_member, add_reservation
from tests.web.answer_form import post_answer

CONNECTIONS, ANSWERS_EACH, ROUNDS = 20, 25, 5
PEOPLE, MINUTE = 1000, 60
LIMIT_KB, LIMIT_SECONDS, LIMIT_P99_MS, LEAST_RATIO = 30, 1.5, 500, 0.9
Save = Callable[[], Any]
Timed = tuple[float, list[float]]


@dataclass(frozen=True)
class Link:
    """What one person holds."""

    event_id: str
    token: str


def measure(folder: Path) -> list[Figure]:
    """Everyone says yes, to lunch too, with two guests: three saves a person, through the page and bare in turn."""
    site = Site(folder / "site").start()
    try:
        (served, waits), (bare, bare_waits), ratio = _beside_bare(site)
        rush = _rush(site)
        with _browser() as browser:
            link = _invite(site, people=1, has_lunch=True)[0]
            weighed = weight.first_visit(browser, f"{site.url}{routes.answer(link.event_id)}?token={link.token}")
        seconds = _on_a_slow_phone(site)
    finally:
        site.stop()
    return [
        Figure(
            f"answers by link, {CONNECTIONS} connections, SQLite",
            f"{served:.0f}/s, p99 {percentile(waits, 0.99) * 1000:.0f} ms",
            f"{bare:.0f}/s, p99 {percentile(bare_waits, 0.99) * 1000:.0f} ms for a bare FastAPI + SQLModel endpoint; "
            f"ratio {ratio:.2f}, at least {LEAST_RATIO}",
        ),
        Figure(
            f"{PEOPLE} people open the page and answer within a minute",
            f"p50 {percentile(rush, 0.5) * 1000:.0f} ms, p99 {percentile(rush, 0.99) * 1000:.0f} ms",
            f"limit {LIMIT_P99_MS} ms",
        ),
        Figure(
            "first visit of the answer page until it can be answered",
            f"{weighed.first_paint:.1f} kB, {weighed.visit:.1f} with typefaces",
            f"limit {LIMIT_KB} kB",
        ),
        Figure(
            "from the mail's button to 'Merci', two presses, slow 4G, 4x CPU",
            f"{seconds:.2f} s",
            f"limit {LIMIT_SECONDS} s",
        ),
    ]


def _invite(site: Site, *, people: int = CONNECTIONS * ANSWERS_EACH, has_lunch: bool) -> list[Link]:
    """An event with a limit, so that places are counted, in a month of its own."""
    global _months  # noqa: PLW0603 - each call takes another month
    _months += 40
    with database_of(site), transaction() as session:
        made = add_event(
            session,
            date=clock.now() + timedelta(days=900 + _months),
            status="confirmed",
            has_lunch=has_lunch,
            max_participants=100_000,
        )
        members = [add_member(session, f"Membre {n}", f"membre{_months}-{n}@club.example") for n in range(people)]
        return [Link(made.id, add_reservation(session, made, member)[1]) for member in members]


_months = 0


def _shared_out(links: list[Link]) -> list[list[Link]]:
    return [links[number::CONNECTIONS] for number in range(CONNECTIONS)]


def _page(site: Site, links: list[Link]) -> Iterator[Save]:
    """One kept connection that opens the page and answers for one person after another, as their browser does."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port)
    for link in links:
        _open(connection, link)
        for said in ({"will_attend": "true"}, {"with_lunch": "true"}, {"guest_count": "2"}):
            yield lambda link=link, said=said: _post(connection, link, said)


def _open(connection: http.client.HTTPConnection, link: Link) -> None:
    connection.request("GET", f"{routes.answer(link.event_id)}?token={link.token}")
    answer = connection.getresponse()
    assert (answer.status, b"</html>" in answer.read()) == (200, True)


def _post(connection: http.client.HTTPConnection, link: Link, said: dict[str, str]) -> None:
    assert post_answer(connection, link.event_id, link.token, **said).status == 303


def _endpoint(port: int, links: list[Link]) -> Iterator[Save]:
    """One kept connection that reads and writes the same for one person after another."""
    connection = http.client.HTTPConnection("127.0.0.1", port)

    def ask(method: str, path: str, sent: Any = None) -> None:
        connection.request(method, path, sent and json.dumps(sent), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200

    for link in links:
        ask("GET", f"/answer?token={link.token}")
        for fields in ({"will_attend": True}, {"with_lunch": True}, {"guest_count": 2}):
            yield lambda sent={"token": link.token, "fields": fields}: ask("POST", "/answer", sent)


def _beside_bare(site: Site) -> tuple[Timed, Timed, float]:
    """The round of the middle of both, and the middle of the ratios of two rounds that follow each other.

    Machine and disk are not as quick each time, so that each round has its reference beside it.
    """
    ours: list[Timed] = []
    bare: list[Timed] = []
    with baseline("--factory bench.bare_endpoint:app", site.variables()) as port:
        for _ in range(ROUNDS):
            ours.append(_timed([_page(site, mine) for mine in _shared_out(_invite(site, has_lunch=True))]))
            bare.append(_timed([_endpoint(port, mine) for mine in _shared_out(_invite(site, has_lunch=True))]))
    ratio = median(one[0] / other[0] for one, other in zip(ours, bare, strict=True))
    return _middle(ours), _middle(bare), ratio


def _middle(rounds: list[Timed]) -> Timed:
    return sorted(rounds, key=lambda one: one[0])[len(rounds) // 2]


def _timed(people: list[Iterator[Save]]) -> Timed:
    """Saves a second, and how long each took from being asked to being shown."""
    waits: list[float] = []
    gate = threading.Barrier(len(people) + 1)

    def run(saves: Iterator[Save]) -> None:
        gate.wait()
        for save in saves:
            begun = time.perf_counter()
            save()
            waits.append(time.perf_counter() - begun)

    threads = [threading.Thread(target=run, args=[saves]) for saves in people]
    for thread in threads:
        thread.start()
    gate.wait()
    begun = time.perf_counter()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - begun
    assert len(waits) == len(people) * ANSWERS_EACH * 3, "somebody was not served"
    return len(waits) / took, waits


def _rush(site: Site) -> list[float]:
    """How long each press waits while many people, each over a connection of their own, answer within a minute."""
    links, waits = _invite(site, people=PEOPLE, has_lunch=False), []
    begun = time.perf_counter() + 1

    def person(number: int, link: Link) -> None:
        time.sleep(max(0.0, begun + number * MINUTE / PEOPLE - time.perf_counter()))
        connection = http.client.HTTPConnection("127.0.0.1", site.port)
        _open(connection, link)
        for said in ({"will_attend": "true"}, {"guest_count": "1"}):
            asked = time.perf_counter()
            _post(connection, link, said)
            _open(connection, link)  # where the redirect leads
            waits.append(time.perf_counter() - asked)
        connection.close()

    threads = [threading.Thread(target=person, args=each) for each in enumerate(links)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(waits) == 2 * PEOPLE, "somebody was not served"
    return waits


def _on_a_slow_phone(site: Site, visits: int = 3) -> float:
    """Seconds from the tap on the mail's 'Oui' to 'Merci', at an event without lunch: two presses."""
    links = _invite(site, people=visits, has_lunch=False)
    with _browser() as browser:
        return median(_answered(browser, site, link) for link in links)


# When something with this text is first there to be pressed, or a heading to be read, in milliseconds since the tap in
# the mail, and where.
SEEN = """([what, text]) => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error(`never seen: ${text}`)), 15000);
  const look = () => {
    for (const one of document.querySelectorAll(what)) {
      const { x, y, width, height } = one.getBoundingClientRect(), middle = [x + width / 2, y + height / 2];
      const step = one.closest(".answer-step"), isLegible = !step || getComputedStyle(step).opacity > 0.5;
      // A control that arrives under a finger takes no press for a moment: until then it is animated.
      const isFree = one.localName !== "button" || !one.getAnimations().length;
      const isReached = isLegible && isFree && one.contains(document.elementFromPoint(...middle));
      if (one.textContent.trim() === text && isReached) return resolve({ at: performance.now(), middle });
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""


def _tap(page: Page, text: str) -> None:
    """A finger on the glass: a locator's own checks would run in the slowed page and be measured with the press."""
    place = page.evaluate(SEEN, ["button", text])
    page.touchscreen.tap(*place["middle"])


def _answered(browser: Browser, site: Site, link: Link) -> float:
    context = browser.new_context(
        locale="fr-FR", viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True
    )
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW_4G)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(f"{site.url}{routes.answer(link.event_id)}?token={link.token}&answer=oui", wait_until="commit")
    _tap(page, "Oui, je viens")
    _tap(page, "Valider")
    took = page.evaluate(SEEN, ["h1, h2", "Merci pour votre confirmation !"])["at"] / 1000
    context.close()
    return took
