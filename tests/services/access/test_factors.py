"""Second factors: adding, verifying, losing and resetting them (S12)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.models import Act, Factor, OutboxMail, RecoveryCode
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound, ProofRequired, TooMany
from clubapp.services.access import factor_loss, factors, known_browsers, recovery_codes, sign_in
from clubapp.services.access.factors import Refused, Verified
from clubapp.services.access.known_browsers import Browser
from clubapp.services.base.actors import SYSTEM, VISITOR, FactorStep
from clubapp.settings import settings
from tests.conftest import forget_settings
from tests.factories import add_admin, add_member
from tests.services.access.open_sessions import who
from tests.services.access.second_factors import add_app, begin_app, code_of, now_of, person_of, type_code
from tests.services.access.sign_ins import HELENE, MARIE, ask, link_of, redeem

LEA = "lea@beffroi.example"
Later = Callable[[timedelta], None]


@pytest.fixture(autouse=True)
def people(club: str, later: Later) -> None:
    with transaction() as session:
        add_admin(session, HELENE)
        add_admin(session, LEA)
        add_member(session, email=MARIE)


def test_a_visitor_has_no_factors() -> None:
    for act in (
        lambda session: factors.list_factors(session, VISITOR),
        lambda session: factors.enrol_factor(session, VISITOR, "totp"),
        lambda session: factors.challenge_factor(session, VISITOR, "x"),
        lambda session: factors.use_recovery_code(session, VISITOR, "x"),
        lambda session: factors.renew_recovery_codes(session, VISITOR),
        lambda session: factor_loss.reset_factors(session, VISITOR, HELENE),
    ):
        with pytest.raises(Forbidden), transaction() as session:
            act(session)


def test_an_app_counts_once_its_first_code_was_right() -> None:
    helene = person_of()
    app = begin_app(helene, "Mon téléphone")
    assert app.qr_code.startswith("data:image/svg+xml")
    assert HELENE.partition("@")[0] in app.uri
    with reading() as session:
        assert factors.list_factors(session, helene) == ()
    assert isinstance(type_code(helene, app, "000000"), Refused)
    done = type_code(helene, app, code_of(app))
    assert isinstance(done, Verified)
    assert len(set(done.recovery_codes)) == 10
    with reading() as session:
        assert [row.name for row in factors.list_factors(session, helene)] == ["Mon téléphone"]


def test_an_app_that_was_used_since_the_key_was_replaced_outlives_the_former_one(
    environment: pytest.MonkeyPatch, later: Later
) -> None:
    """Fails when a club that drops the old key, as operations say, locks out whoever has an app."""
    newer, former = "a-newer-key-that-is-long-enough-to-sign-with", settings().keys[0]
    app, _ = add_app(person_of())
    for keys in (f"{newer},{former}", newer):
        environment.setenv("CLUB_SECRET_KEY", keys)
        forget_settings()
        later(timedelta(minutes=2))
        assert isinstance(type_code(person_of(), app, code_of(app)), Verified)


def test_the_seed_and_the_recovery_codes_are_not_in_the_database() -> None:
    app, codes = add_app(person_of())
    with reading() as session:
        assert app.secret not in session.exec(select(Factor.secret)).one()
        kept = set(session.exec(select(RecoveryCode.code_hash)))
    assert len(kept) == len(codes)
    assert not kept & set(codes)


def test_a_telephone_is_refused_with_a_sentence() -> None:
    helene = person_of()
    with pytest.raises(Invalid, match="SMS"), transaction() as session:
        factors.enrol_factor(session, helene, "phone")
    with pytest.raises(Invalid, match="totp ou webauthn"), transaction() as session:
        factors.enrol_factor(session, helene, "pigeon")


def test_a_sign_in_by_mail_gives_nothing_until_the_factor_is_verified(later: Later) -> None:
    app, _ = add_app(person_of())
    later(timedelta(minutes=1))
    nonce = ask()
    opened = redeem(link_of(nonce), nonce)
    assert isinstance(opened, sign_in.OpenedSession)
    half = who(opened.cookie)
    assert half is not None
    assert (half.is_admin, half.is_signed_in, half.factor_step) == (False, False, FactorStep.VERIFY)
    assert isinstance(type_code(half, app, code_of(app)), Verified)
    whole = now_of(half.session_id)
    assert (whole.is_admin, whole.is_signed_in, whole.needs_proof) == (True, True, False)


def test_who_must_verify_a_factor_cannot_add_or_remove_one() -> None:
    app, _ = add_app(person_of())
    half = person_of(is_half_open=True)
    with pytest.raises(Forbidden, match="Vérifiez d’abord"), transaction() as session:
        factors.enrol_factor(session, half, "totp")
    with pytest.raises(Forbidden), transaction() as session:
        factors.remove_factor(session, half, app.id)
    with pytest.raises(Forbidden), transaction() as session:
        factors.renew_recovery_codes(session, half)


def test_the_first_factor_is_asked_of_every_other_session_too() -> None:
    elsewhere = person_of()
    add_app(person_of())
    assert now_of(elsewhere.session_id).factor_step is FactorStep.VERIFY


def test_a_code_is_good_for_a_step_around_and_once(later: Later) -> None:
    helene = person_of()
    app, _ = add_app(helene)
    assert isinstance(type_code(helene, app, code_of(app)), Refused)  # the one that added it
    later(timedelta(minutes=5))
    assert isinstance(type_code(helene, app, code_of(app, steps=-2)), Refused)
    assert isinstance(type_code(helene, app, code_of(app, steps=2)), Refused)
    assert isinstance(type_code(helene, app, code_of(app, steps=-1)), Verified)
    assert isinstance(type_code(helene, app, code_of(app, steps=1)), Verified)
    for replayed in (-1, 0, 1):
        assert isinstance(type_code(helene, app, code_of(app, steps=replayed)), Refused)


@pytest.mark.parametrize("typed", ["٠١٢٣٤٥", "²²²²²²", "１２３４５６", "\ud800" * 6])
def test_digits_of_another_writing_are_a_wrong_code(typed: str) -> None:
    helene = person_of()
    app, _ = add_app(helene)
    assert isinstance(type_code(helene, app, typed), Refused)


def test_one_code_typed_in_two_sessions_at_once_opens_one(later: Later) -> None:
    """Fails when nothing but the last step, as each transaction read it, tells that a code was used."""
    app, _ = add_app(person_of())
    later(timedelta(minutes=5))
    people = [person_of(is_half_open=True) for _ in range(4)]
    code = code_of(app)
    with ThreadPoolExecutor(len(people)) as pool:
        done = list(pool.map(lambda person: type_code(person, app, code), people))
    assert sum(isinstance(one, Verified) for one in done) == 1
    assert sum(not now_of(person.session_id).factor_step for person in people) == 1


def test_after_five_wrong_codes_the_wait_grows(later: Later) -> None:
    helene = person_of()
    app, codes = add_app(helene)
    later(timedelta(minutes=5))
    for _ in range(5):
        assert isinstance(type_code(helene, app, "000000"), Refused)
    with pytest.raises(TooMany) as first:
        type_code(helene, app, code_of(app))
    with pytest.raises(TooMany), transaction() as session:
        factors.use_recovery_code(session, helene, codes[0])
    later(timedelta(seconds=first.value.retry_after))
    assert isinstance(type_code(helene, app, "000000"), Refused)
    with pytest.raises(TooMany) as second:
        type_code(helene, app, code_of(app))
    assert second.value.retry_after == 2 * first.value.retry_after
    later(timedelta(seconds=second.value.retry_after))
    assert isinstance(type_code(helene, app, code_of(app)), Verified)


def test_a_challenge_serves_once_in_its_session_for_its_factor_and_for_five_minutes(later: Later) -> None:
    helene = person_of()
    app, _ = add_app(helene)
    other, _ = add_app(helene, "Autre")
    later(timedelta(minutes=1))

    def answer(challenge_id: str, person: Any = helene, of: Any = app) -> Verified | Refused:
        with transaction() as session:
            return factors.verify_factor(session, person, of.id, challenge_id, code=code_of(of))

    def asked() -> str:
        with transaction() as session:
            return factors.challenge_factor(session, helene, app.id).id

    for wrong in (
        lambda: answer(asked(), person_of()),
        lambda: answer(asked(), of=other),
        lambda: answer(asked()[:-2]),
        lambda: answer(""),
    ):
        with pytest.raises(NotFound):
            wrong()
    used = asked()
    assert isinstance(answer(used), Verified)
    with pytest.raises(NotFound, match="déjà servi"):
        answer(used)
    late = asked()
    later(timedelta(minutes=6))
    with pytest.raises(NotFound, match="expiré"):
        answer(late)


def test_a_factor_is_its_person_s_alone() -> None:
    app, _ = add_app(person_of())
    lea = person_of(LEA)
    for act in (factors.challenge_factor, factors.remove_factor):
        with pytest.raises(NotFound), transaction() as session:
            act(session, lea, app.id)


def test_a_recovery_code_opens_once_and_its_person_is_told() -> None:
    _, codes = add_app(person_of())
    half = person_of(is_half_open=True)
    with transaction() as session:
        assert isinstance(factors.use_recovery_code(session, half, codes[3].upper().replace("-", " ")), Verified)
    assert now_of(half.session_id).is_admin
    with transaction() as session:
        assert isinstance(factors.use_recovery_code(session, half, codes[3]), Refused)
        assert recovery_codes.count_left(session, HELENE) == 9
    lea = person_of(LEA)
    with transaction() as session:
        assert isinstance(factors.use_recovery_code(session, lea, codes[4]), Refused)
    assert "Il vous en reste 9" in " ".join(told(HELENE))


def test_new_recovery_codes_replace_the_former_ones() -> None:
    helene = person_of()
    _, codes = add_app(helene)
    with transaction() as session:
        renewed = factors.renew_recovery_codes(session, helene)
    assert not set(renewed) & set(codes)
    with transaction() as session:
        assert isinstance(factors.use_recovery_code(session, helene, codes[0]), Refused)
    lea = person_of(LEA)
    with pytest.raises(Conflict), transaction() as session:
        factors.renew_recovery_codes(session, lea)


def test_adding_and_removing_need_a_recent_proof(later: Later) -> None:
    helene = person_of()
    app, _ = add_app(helene)
    later(timedelta(minutes=11))
    old = now_of(helene.session_id)
    for act in (
        lambda session: factors.enrol_factor(session, old, "totp"),
        lambda session: factors.remove_factor(session, old, app.id),
        lambda session: factors.renew_recovery_codes(session, old),
    ):
        with pytest.raises(ProofRequired), transaction() as session:
            act(session)
    assert isinstance(type_code(old, app, code_of(app)), Verified)
    with transaction() as session:
        factors.remove_factor(session, now_of(old.session_id), app.id)
        assert not recovery_codes.count_left(session, HELENE)


def test_the_last_factor_stays_where_one_is_required(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_ADMIN_SECOND_FACTOR", "required")
    forget_settings()
    helene, marie = person_of(), person_of(MARIE)
    assert (helene.is_admin, helene.factor_step) == (False, FactorStep.ENROL)
    assert (marie.is_signed_in, marie.factor_step) == (True, FactorStep.NONE)
    app, _ = add_app(helene)
    helene = now_of(helene.session_id)
    assert helene.is_admin
    with pytest.raises(Conflict), transaction() as session:
        factors.remove_factor(session, helene, app.id)


def test_another_administrator_resets_and_everybody_is_told() -> None:
    helene, lea, marie = person_of(), person_of(LEA), person_of(MARIE)
    _, codes = add_app(helene)
    with pytest.raises(Conflict), transaction() as session:
        factor_loss.reset_factors(session, helene, HELENE)
    with pytest.raises(Forbidden), transaction() as session:
        factor_loss.reset_factors(session, marie, HELENE)
    with transaction() as session:
        factor_loss.reset_factors(session, lea, HELENE)
    with pytest.raises(AssertionError):  # her sessions have ended
        now_of(helene.session_id)
    with reading() as session:
        assert session.exec(select(Act.detail).where(Act.action == "factor.reset")).one() == {"factor_type": ["totp"]}
    again = person_of()
    assert again.is_admin
    with transaction() as session:
        assert isinstance(factors.use_recovery_code(session, again, codes[0]), Refused)
    for recipient in (HELENE, LEA):
        assert f"{LEA} a retiré la double vérification de {HELENE}" in " ".join(told(recipient))
    with pytest.raises(NotFound), transaction() as session:
        factor_loss.reset_factors(session, SYSTEM, HELENE)


def test_after_a_reset_a_browser_that_was_not_seen_before_is_still_told() -> None:
    helene, lea = person_of(), person_of(LEA)
    add_app(helene)
    with transaction() as session:
        known_browsers.note_sign_in(session, HELENE, Browser("propre", "Firefox"))
        factor_loss.reset_factors(session, lea, HELENE)
        known_browsers.note_sign_in(session, HELENE, Browser("propre", "Firefox"))
    before = len(told(HELENE))
    with transaction() as session:
        known_browsers.note_sign_in(session, HELENE, Browser("inconnu", "Firefox"))
    assert len(told(HELENE)) == before + 1


def test_every_act_is_on_record_and_its_person_is_told(later: Later) -> None:
    helene = person_of()
    app, _ = add_app(helene)
    later(timedelta(minutes=1))
    type_code(helene, app, code_of(app))
    with transaction() as session:
        factors.remove_factor(session, helene, app.id)
    with reading() as session:
        acts = list(session.exec(select(Act.action)))
    assert sorted(acts) == ["factor.add", "factor.remove", "factor.used", "recovery_codes.renewed"]
    assert [sum(word in text for text in told(HELENE)) for word in ("moyen de plus", "moyen de moins")] == [1, 1]


def told(email: str) -> list[str]:
    """The notices of an address, as they are written."""
    with reading() as session:
        mails = session.exec(select(OutboxMail).where(OutboxMail.kind == "security_notice")).all()
        mine = [mail for mail in mails if mail.recipient == email]
        letters = [mail_kinds.compose(session, mail).context for mail in mine]
    return [" ".join((letter["heading"], *letter["paragraphs"])) for letter in letters]
