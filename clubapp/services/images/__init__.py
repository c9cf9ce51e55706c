"""Pictures: uploads, processing, sizes, initials."""
