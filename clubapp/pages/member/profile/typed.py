"""What the profile form sends, turned into what the service takes; and what the service says, beside the fields."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from clubapp.services.profile import ProfileForm
from clubapp.ui.vendor.kept_form import text_of


@dataclass(frozen=True)
class FieldTexts:
    """A sentence or a value for each field; empty where there is nothing to say."""

    role: str = ""
    email: str = ""
    phone: str = ""
    linkedin: str = ""
    website: str = ""
    description: str = ""
    expertise: str = ""
    services: str = ""
    image_url: str = ""


NO_TEXTS = FieldTexts()
EMPTY = "(vide)"
OTHER_PHOTO = "une autre photo"


def profile_form(entries: Any) -> ProfileForm:
    """The form from its entries."""
    return ProfileForm(**{each.name: text_of(entries, each.name) for each in fields(ProfileForm)})


def errors_of(errors: Mapping[str, str]) -> FieldTexts:
    """A refusal's sentences by field."""
    known = {each.name for each in fields(FieldTexts)}
    return FieldTexts(**{name: text for name, text in errors.items() if name in known})


def theirs_of(saved: Mapping[str, str]) -> FieldTexts:
    """What someone else saved meanwhile, as it is shown below each field."""
    shown = {name: text or EMPTY for name, text in saved.items()}
    if saved.get("image_url"):
        shown["image_url"] = OTHER_PHOTO
    return errors_of(shown)
