"""A heading that says what just happened."""

import reflex as rx


class ArrivingHeading(rx.Component):
    """Takes the focus when it appears, so that screen readers and the keyboard go on from there."""

    library = f"$/public{rx.asset('arrival.jsx', shared=True)}"
    tag = "ArrivingHeading"


arriving_heading = ArrivingHeading.create
