"""A member writes what is theirs to write, and nothing else, whatever is sent over the socket (W3)."""

from clubapp.clubapp import app
from clubapp.database import transaction
from clubapp.models import Company
from clubapp.pages.member.company.state import OwnCompanyState
from clubapp.pages.member.profile.state import ProfileState
from clubapp.pages.member.sessions.state import OwnSessionsState
from clubapp.services.access import sessions
from clubapp.services.base.actors import Actor
from clubapp.services.companies import own_company
from clubapp.services.members import own_profile
from tests.e2e.invitation_steps import database_of
from tests.e2e.member_steps import company_of, employed, stored
from tests.e2e.site import Site
from tests.web.tab import Tab


def test_a_member_reaches_nothing_of_anyone_else_s(site: Site) -> None:
    """Straight over the socket, with another's ids and with fields that are nobody's to send."""
    mine, theirs = employed(site, "Aline"), employed(site, "Béatrice")
    with database_of(site), transaction() as session:
        cookie, _ = sessions.open_session(session, str(mine.email))
        theirs_session = sessions.open_session(session, str(theirs.email))[0].partition(".")[0]
        person = Actor(str(mine.email), member_id=mine.id, session_id="x")
        seen = own_profile.read_own_profile(session, person).form.seen
        company = own_company.read_own_company(session, person)
    assert company
    forged = {
        "id": theirs.id, "member_id": theirs.id, "company_id": theirs.company_id, "name": "Forgé", "company": "Forgé",
        "activity_domain": "Forgé", "is_active": "", "is_listed": "", "is_admin": "true", "created_at": "2001-01-01",
        "opted_out_at": "2001-01-01", "founded_year": "1900", "employee_count": "9",
    }  # fmt: skip
    typed = {"role": "À moi", "email": str(mine.email), "description": "À moi", "seen": seen}
    of_company = {"description": "À nous", "city": "Lille", "seen": company.form.seen}
    before = stored(site, theirs).model_dump(), company_of(site, theirs).model_dump()
    with app.set_contexts(), Tab(site.url, cookie=f"session={cookie}") as tab:
        tab.call(f"{ProfileState.get_full_name()}.save", entries=forged | typed)
        tab.call(f"{OwnCompanyState.get_full_name()}.save", entries=forged | of_company)
        tab.call(f"{OwnSessionsState.get_full_name()}.end", session_id=theirs_session)
        for choice in ("is_active", "company_id", "name"):
            tab.call(f"{ProfileState.get_full_name()}.choose", choice=choice, shown=False)
    assert before == (stored(site, theirs).model_dump(), company_of(site, theirs).model_dump())
    member, firm = stored(site, mine), company_of(site, mine)
    assert (member.role, firm.city) == ("À moi", "Lille")
    written = {"role", "description", "expertise", "updated_at"}
    assert member.model_dump(exclude=written) == mine.model_dump(exclude=written)
    assert isinstance(firm, Company)
    assert (firm.name, firm.founded_year, firm.employee_count) == (mine.company, None, "")
    with database_of(site), transaction() as session:
        assert sessions.find_actor(session, theirs_session)
