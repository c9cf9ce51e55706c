"""Where the browser's part of the frame is: one file for menus, takeover and change of screen, fetched at once."""

import reflex as rx

LIBRARY = f"$/public{rx.asset('frame.jsx', shared=True)}"
