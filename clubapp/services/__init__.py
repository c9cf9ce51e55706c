"""Use cases by noun: (session, actor, …) -> a small frozen view model, or a typed refusal."""
