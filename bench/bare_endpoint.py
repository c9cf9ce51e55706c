"""What one would write in an afternoon: read the row of a token; set a field, commit, read it back.

No rule, no wording, no history, no confirmation. Durable, in worker threads, as the page is. Served by `uvicorn`.
"""

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from sqlalchemy import Engine, event
from sqlmodel import Session, create_engine, select

from clubapp import clock, tokens
from clubapp.models import Event, EventReservation, Member
from clubapp.settings import settings


def plain_engine() -> Engine:
    """The engine of a tutorial, made as durable as ours."""
    made = create_engine(settings().database_url, connect_args={"check_same_thread": False, "timeout": 30})

    def prepare(connection: Any, _record: Any) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            connection.execute(f"PRAGMA {pragma}")

    event.listen(made, "connect", prepare)
    return made


class Saved(BaseModel):
    """What is sent: whose row, and what to set in it."""

    token: str
    fields: dict[str, Any]


def app() -> FastAPI:
    """The application."""
    engine, made = plain_engine(), FastAPI()

    @made.post("/answer")
    def save(sent: Saved) -> dict[str, Any]:
        with Session(engine) as session:
            wanted = select(EventReservation).where(EventReservation.response_token == tokens.fingerprint(sent.token))
            found = session.exec(wanted).one()
            found.sqlmodel_update(sent.fields | {"updated_at": clock.now()})
            session.add(found)
            session.commit()
            session.refresh(found)
            return found.model_dump(mode="json")

    @made.get("/answer")
    def find(token: str) -> dict[str, Any]:
        with Session(engine) as session:
            wanted = select(EventReservation, Event, Member).join(Event).join(Member)
            row = session.exec(wanted.where(EventReservation.response_token == tokens.fingerprint(token))).one()
            return {"answer": row[0].model_dump(mode="json"), "event": row[1].model_dump(mode="json")}

    @made.get("/health")
    def health() -> None:
        return None

    return made
