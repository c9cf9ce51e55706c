"""What every screen declares and tells: its page, its toasts, its metrics."""
