"""Ten tasks of an administrator and their presses: a member is added from the list, the rest is done from the day."""

from collections.abc import Callable
from datetime import timedelta

from playwright.sync_api import BrowserContext, Page, expect
from sqlmodel import Session, col, select

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.models import Arrival, Event, EventStatus, MailState, Member, OutboxMail
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, has_no_barrier
from tests.e2e.presses import Presses
from tests.e2e.sign_in_steps import expect_path
from tests.e2e.site import Site

CORRECTED = "corrigee@beffroi.example"


def test_ten_tasks_take_half_the_presses_they_took(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    failed, phone = _prepare(site)
    page = new_context(site).new_page()
    sign_in(page, site, ADMIN_EMAIL)
    tasks: dict[Callable[..., None], int] = {
        _find_a_telephone: 1,
        _call_who_is_silent: 2,
        _read_what_leaves: 1,
        _print_for_the_door: 1,
        _freeze_the_meals: 3,
        _thank_who_came: 2,
        _see_who_came_three_times: 2,
        _correct_an_address: 2,
        _add_a_member_with_a_company: 4,
        _postpone: 2,
    }
    counted = {}
    for task in tasks:
        page.goto(routes.ADMIN_TODAY)
        expect(page.locator("[data-task]").first).to_be_visible()
        hands = Presses(page)
        task(page, hands, site, failed, phone)
        counted[task] = hands.count
    assert counted == tasks


def _prepare(site: Site) -> tuple[str, str]:
    """An address that refuses, and a caterer for the next event; the name of the one, the telephone of another."""
    with database_of(site), transaction() as session:
        event = _next_event(session)
        event.caterer_email = "traiteur@houblon.example"
        found = session.exec(
            select(Member).where(col(Member.is_active), Member.phone != "").order_by(Member.name)
        ).all()
        failed = found[0]
        failed.email_failed_at = clock.now()
        mail = OutboxMail(
            kind="broadcast",
            member_id=failed.id,
            recipient=str(failed.email),
            state=MailState.FAILED,
            key="refused",
            available_at=clock.now(),
            created_at=clock.now(),
            updated_at=clock.now(),
        )
        session.add(mail)
        return failed.name, found[1].name


def _next_event(session: Session) -> Event:
    coming = select(Event).where(col(Event.date) > clock.now(), Event.status == EventStatus.CONFIRMED)
    return session.exec(coming.order_by(col(Event.date)).limit(1)).one()


def _find_a_telephone(page: Page, hands: Presses, _site: Site, _failed: str, name: str) -> None:
    hands.key("Control+k")
    hands.type(name)
    expect(page.locator("[role=option][aria-selected=true]").filter(has_text=name)).to_contain_text("0")


def _call_who_is_silent(page: Page, hands: Presses, *_: object) -> None:
    hands.press(page.get_by_role("link", name="Appeler les"))
    number = page.locator("a[href^='tel:']").first
    expect(number).to_be_visible()
    number.evaluate("(link) => link.addEventListener('click', (event) => event.preventDefault())")
    hands.press(number)


def _read_what_leaves(page: Page, hands: Presses, *_: object) -> None:
    hands.press(page.get_by_role("link", name="1re relance"))
    expect(page.get_by_role("dialog").get_by_role("textbox").first).to_be_visible()


def _print_for_the_door(page: Page, hands: Presses, *_: object) -> None:
    hands.press(page.get_by_role("link", name="Imprimer"))
    expect(page.get_by_role("link", name="Feuille d’émargement").first).to_be_visible()


def _freeze_the_meals(page: Page, hands: Presses, *_: object) -> None:
    hands.press(page.get_by_role("link", name="Ouvrir la rencontre"))
    hands.press(page.get_by_role("link", name="Jour\u00a0J"))
    hands.press(page.get_by_role("button", name="Envoyer les nombres"))
    expect(page.locator(".toast").first).to_be_visible()


def _thank_who_came(page: Page, hands: Presses, *_: object) -> None:
    hands.find("remercier", "Remercier ceux qui sont venus le")
    expect(page.get_by_label("Objet").first).to_be_visible()


def _see_who_came_three_times(page: Page, hands: Presses, site: Site, *_: object) -> None:
    hands.press(page.get_by_role("link", name="Membres", exact=True))
    hands.press(page.get_by_role("link", name="Venus 3 fois"))
    with database_of(site), reading() as session:
        closed = select(Event.id).where(col(Event.doors_closed_at).is_not(None))
        last = session.exec(closed.order_by(col(Event.date).desc()).limit(3)).all()
        came = [set(session.exec(select(Arrival.person).where(Arrival.event_id == each))) for each in last]
        members = set(session.exec(select(Member.id)))
    regular = set.intersection(*came) & members
    assert regular
    rows = page.locator(".record-list tbody tr")
    expect(rows).to_have_count(len(regular))
    has_no_barrier(page)


def _correct_an_address(page: Page, hands: Presses, site: Site, failed: str, _phone: str) -> None:
    hands.press(page.locator("[data-task=addresses]").get_by_role("link"))
    expect(page.get_by_label("Nouvelle adresse e-mail")).to_be_focused()
    hands.type(CORRECTED)
    hands.key("Enter")
    expect(page.locator(".toast").first).to_contain_text("Adresse corrigée")
    with database_of(site), reading() as session:
        assert session.exec(select(Member.email).where(Member.name == failed)).one() == CORRECTED


def _add_a_member_with_a_company(page: Page, hands: Presses, site: Site, *_: object) -> None:
    page.goto(routes.ADMIN)
    hands.press(page.get_by_role("button", name="Nouveau membre"))
    form = page.locator(".record-form form")
    expect(form.locator("[name=name]")).to_be_focused()
    hands.type("Ursule Vanhoutte")
    hands.fill_in("role", "Gérante")
    hands.choose(form.locator("[name=company_id]"), "Nouvelle entreprise…")
    hands.fill_in("company", "Filature Vanhoutte")
    hands.choose(form.locator("[name=activity_domain]"), "Bâtiment & Travaux")
    hands.fill_in("description", "Le lin.")
    hands.fill_in("email", "ursule@vanhoutte.example")
    hands.key("Enter")
    expect(page.locator(".toast").first).to_contain_text("Membre créé")
    with database_of(site), reading() as session:
        assert (
            session.exec(select(Member.company).where(Member.name == "Ursule Vanhoutte")).one() == "Filature Vanhoutte"
        )


def _postpone(page: Page, hands: Presses, site: Site, *_: object) -> None:
    with database_of(site), reading() as session:
        before = _next_event(session)
    later = clock.to_local(before.date + timedelta(days=2))
    hands.press(page.get_by_role("region", name="Prochaine rencontre").get_by_role("link", name="Reporter"))
    expect(page.get_by_label("Date et heure")).to_be_focused()
    hands.type(f"{later:%d%m%Y}")
    expect(page.get_by_role("checkbox", name="Prévenir de la nouvelle date")).to_be_checked()
    hands.key("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".toast").first).to_contain_text("messages partent")
    expect_path(page, routes.admin_event(before.id))
    expect(page.locator(".date-block-day").first).to_have_text(str(later.day))
    with database_of(site), reading() as session:
        assert _next_event(session).date == before.date + timedelta(days=2)
