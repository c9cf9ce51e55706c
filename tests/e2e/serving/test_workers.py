"""Several processes behind one address are one site: one truth, one effect, and no one of them is missed."""

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPException
from uuid import uuid4

import pytest
from sqlmodel import col, select, update

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.infra import server_lock
from clubapp.models import Event, MailState, Member, OutboxMail, ReservationAnswer
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.services.access import administrators
from clubapp.services.base.actors import SYSTEM
from clubapp.services.demo import MEMBER_EMAIL
from clubapp.services.events import invitations
from tests import images
from tests.e2e.invitation_steps import Invitation, database_of, invite
from tests.e2e.several_servers import Several, answer, ask, kill, several, worker_of
from tests.factories import add_admin
from tests.stores import s3
from tests.web.tab import Tab

__all__ = ["s3"]

DETAIL = EventDetailState.get_full_name()
DETAIL_HANDLER = "pages.admin.events.detail_state.EventDetailState"
OTHER_ADMIN = "paul@beffroi.example"


@pytest.fixture(scope="module")
def two(built: None, s3: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    """Two processes."""
    with several(tmp_path_factory.mktemp("two") / "data", 2, s3) as made:
        yield made


def test_a_session_that_ends_in_one_process_ends_in_all(two: Several) -> None:
    """Fails when a process only knows of the sign-outs it served itself."""
    with database_of(two.site), transaction() as session:
        add_admin(session, OTHER_ADMIN)
    leaving, removed = two.cookie(), two.cookie(OTHER_ADMIN)
    tabs = [*two.tabs(cookie=leaving), *two.tabs(cookie=removed)]
    visitor = Tab(two.site.url)
    assert ask(two.site, "POST", routes.SIGN_OUT, b"{}", Cookie=leaving)[0] == 303
    with database_of(two.site), transaction() as session:
        administrators.remove_administrator(session, SYSTEM, OTHER_ADMIN)
    assert all(tab.is_closed_within(6) for tab in tabs)
    assert visitor.hydrate()


def test_a_kept_page_is_made_again_in_every_process(two: Several) -> None:
    assert {status for status, _ in two.get("/membres")} == {200}
    with database_of(two.site), transaction() as session:
        session.execute(update(Member).where(col(Member.email) == MEMBER_EMAIL).values(role="Fileuse de lin"))
    assert ["Fileuse de lin" in text for _, text in two.get("/membres")] == [True] * 12


def test_a_tab_finds_its_state_again_in_another_process(two: Several) -> None:
    token, cookie, invitation = str(uuid4()), two.cookie(), invite(two.site)
    tab = Tab(two.site.url, token=token, cookie=cookie, path="/admin/events")
    tab.hydrate()
    tab.call(f"{DETAIL}.show", event_id=invitation.event_id)
    first, shown = worker_of(two.site, tab), ""
    for _ in range(50):  # while the first one still counts as open, another is told to begin afresh
        tab.close()
        time.sleep(0.05)
        tab = Tab(two.site.url, token=token, cookie=cookie, path="/admin/events")
        shown = json.dumps(tab.hydrate()["delta"][DETAIL])
        if worker_of(two.site, tab) != first and invitation.event_id in shown:
            break
    assert invitation.event_id in shown
    assert worker_of(two.site, tab) != first


def test_a_screen_follows_what_another_process_takes_in(two: Several) -> None:
    invitation = invite(two.site, has_lunch=False)
    screens = two.tabs(2, cookie=two.cookie(), path="/admin/events")
    for screen in screens:
        screen.hydrate()
        screen.call(f"{DETAIL}.show", event_id=invitation.event_id)
    assert answer(two.site, invitation, will_attend="true")[0] == 303
    for screen in screens:
        seen = json.dumps(screen.call(f"{DETAIL}.follow"))
        assert '"total_attending": 1' in seen


def test_a_mailing_leaves_once_whichever_process_sends_it(two: Several) -> None:
    with database_of(two.site), transaction() as session:
        event = session.exec(
            select(Event).where(Event.status == "confirmed", ~col(Event.invitation_sent)).order_by(col(Event.date))
        ).first()
        assert event is not None
        queued = invitations.send_invitations(session, SYSTEM, event.id).queued
    until = time.monotonic() + 30
    while _fates(two, event.id) != {"sent": queued} and time.monotonic() < until:
        time.sleep(0.2)
    assert _fates(two, event.id) == {"sent": queued}
    received = Counter(str(mail["To"]) for mail in two.relay.accepted if mail["X-Club-Kind"] == "invitation")
    assert len(received) == queued
    assert set(received.values()) == {1}


def _fates(two: Several, event_id: str) -> dict[str, int]:
    with database_of(two.site), reading() as session:
        mine = select(OutboxMail.state).where(OutboxMail.event_id == event_id, OutboxMail.kind == "invitation")
        return dict(Counter(session.exec(mine)))


def _are_leaving(two: Several) -> bool:
    with database_of(two.site), reading() as session:
        on_the_way = col(OutboxMail.state).in_((MailState.PENDING, MailState.CLAIMED, MailState.HANDING_OVER))
        due = col(OutboxMail.available_at) <= clock.now()
        return session.exec(select(OutboxMail.id).where(on_the_way, due)).first() is not None


def test_a_picture_is_kept_in_s3_and_shown_by_every_process(two: Several) -> None:
    sent = images.encoded(images.quarters(), "JPEG")
    status, text = ask(two.site, "POST", "/images/avatars", sent, Cookie=two.cookie())
    assert status == 201, text
    assert {status for status, _ in two.get(json.loads(text)["url"], Cookie=two.cookie())} == {200}
    assert not (two.site.data_dir / "media").exists()


def test_every_process_tells_the_same_figures(two: Several) -> None:
    """Fails when each process counts only what it does itself."""
    with Tab(two.site.url, cookie=two.cookie(), path="/admin/events") as tab:
        tab.hydrate()
        tab.call(f"{DETAIL}.show", event_id=invite(two.site).event_id)
    until = time.monotonic() + 30
    while _are_leaving(two) and time.monotonic() < until:  # what the tests before have caused
        time.sleep(0.2)
    told = [text for status, text in two.get(routes.METRICS) if status == 200]
    counts = {re.sub(r".*(_seconds|_age|_free_bytes)\S* .*\n|#.*\n", "", text) for text in told}
    handled = {tuple(re.findall(r"^club_handler_seconds_count.*", text, re.M)) for text in told}
    assert (len(told), len(counts), len(handled)) == (12, 1, 1)
    assert f'{DETAIL_HANDLER}.show"' in str(handled)
    ages = [float(age) for text in told for age in re.findall(r'tick_age_seconds{job="send-mail"} (\S+)', text)]
    assert len(ages) == 12
    assert max(ages) < 10


def test_a_process_that_is_killed_takes_no_answer_with_it_and_is_replaced(two: Several) -> None:
    """What it had confirmed is there, and is not there twice when it is sent again."""
    invitation = invite(two.site, has_lunch=False)
    tab = Tab(two.site.url)
    assert answer(two.site, invitation, will_attend="true")[0] == 303
    before = two.workers
    kill(worker_of(two.site, tab))
    assert tab.is_closed_within(5)
    assert invitation.answer[0] is True
    assert _answered_later(two, invitation)
    with database_of(two.site), reading() as session:
        mine = select(ReservationAnswer).where(ReservationAnswer.reservation_id == invitation.reservation_id)
        assert len(session.exec(mine).all()) == 1
    until = time.monotonic() + 20
    while (len(two.workers) < 2 or two.workers == before) and time.monotonic() < until:
        time.sleep(0.1)
    assert len(two.workers) == 2
    assert len(set(two.workers) & set(before)) == 1
    assert {status for status, _ in two.get("/health")} == {200}


def _answered_later(two: Several, invitation: Invitation) -> bool:
    """Whether the same post is taken, sent again as a browser does: until somebody answers."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            return answer(two.site, invitation, will_attend="true")[0] == 303
        except (ConnectionError, HTTPException):
            time.sleep(0.1)
    return False


def test_a_killed_parent_takes_its_workers_along_and_the_site_starts_again(two: Several) -> None:
    """While it lives nothing is taken from under it; killed, it is in nobody's way."""
    site = two.site
    assert site.process is not None
    assert len(two.workers) == 2
    assert _serves(two)
    site.process.kill()
    site.process.wait()
    until = time.monotonic() + 5
    while time.monotonic() < until and (site.answers() or _serves(two)):
        time.sleep(0.05)
    assert not site.answers()
    assert not _serves(two)
    site.start()


def _serves(two: Several) -> bool:
    """Whether `restore`, say, is refused: the database is in use."""
    try:
        with database_of(two.site), server_lock.exclude_servers():
            return False
    except server_lock.ServerRuns:
        return True
