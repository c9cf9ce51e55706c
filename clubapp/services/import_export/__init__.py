"""Tables in and out: reading, matching, importing, exporting."""
