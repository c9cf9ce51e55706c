"""The fictional club's signature and reminder settings."""

from datetime import datetime
from random import Random

from sqlmodel import Session, select

from clubapp.models import EmailReminderSetting, EmailSignature, ReminderType
from clubapp.services.demo.addresses import ADMIN_EMAIL
from clubapp.services.demo.people import new_id
from clubapp.services.reminders.settings import default_setting
from clubapp.settings import settings


def add_mail_settings(session: Session, random: Random, today: datetime) -> None:
    """Add a signature and the missing reminder settings."""
    session.add(_signature(new_id(random), today))
    known = set(session.exec(select(EmailReminderSetting.reminder_type)))
    for kind in ReminderType:
        identifier = new_id(random)
        if kind not in known:
            session.add(default_setting(kind, identifier))
    session.flush()


def _signature(identifier: str, today: datetime) -> EmailSignature:
    club = settings()
    return EmailSignature(
        id=identifier,
        sender_name=club.animator_name,
        sender_role="Animatrice du réseau",
        company_name=club.name,
        phone="03 53 01 55 01",
        mobile="06 39 98 55 01",
        address="1 place du Beffroi, 59000 Lille",
        website="https://www.beffroi.example",
        updated_by=ADMIN_EMAIL,
        updated_at=today,
    )
