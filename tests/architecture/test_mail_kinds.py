"""Every mail the program queues is of a kind of the one table, with a label of its own and with templates."""

import ast

from clubapp.mail.messages import invitation_and_reminders, test_mail
from clubapp.mail.messages.mail_kinds import MAIL_KINDS
from tests.architecture.sources import ROOT, dotted, nodes

PARTS = {"subject.txt", "text.txt", "html.html"}
# Drawn into the others, and what a change of address becomes when the address is someone else's.
NO_KINDS = {"shared", "email_change_taken"}
# An event's three mails share one folder; a test mail is drawn as the mail that it tests.
FOLDER_OF = dict.fromkeys(invitation_and_reminders.KINDS.values(), invitation_and_reminders.TEMPLATE) | {
    test_mail.KIND: None
}


def test_every_kind_has_a_label_of_its_own() -> None:
    labels = [kind.label for kind in MAIL_KINDS.values()]
    assert all(labels)
    assert len(set(labels)) == len(labels)


def test_every_kind_has_its_templates_and_every_template_its_kind() -> None:
    folders = {
        folder.name: {path.name for path in folder.iterdir()}
        for folder in (ROOT / "clubapp/mail/messages/templates").iterdir()
    }
    assert folders.keys() - NO_KINDS == {FOLDER_OF.get(kind, kind) for kind in MAIL_KINDS} - {None}
    assert all(parts >= PARTS for name, parts in folders.items() if name != "shared")


def test_no_service_writes_the_name_of_a_kind_itself() -> None:
    calls = [
        (path, call)
        for path, call in nodes(ast.Call)
        if dotted(call.func) in ("outbox.queue_mail", "outbox.record_excluded")
    ]
    assert len(calls) > 5
    assert not [
        f"{path}:{call.lineno}"
        for path, call in calls
        for given in call.keywords
        if given.arg == "kind" and isinstance(given.value, ast.Constant)
    ]
