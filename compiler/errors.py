class CannotCompileError(Exception):
    """Its text is the whole message."""
