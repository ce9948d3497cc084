"""Families of tasks: for each a planner that plays a task knowingly and so writes its golden path."""
