"""Writes numbers as mpsbench's tables and page write them (src/base/units.cpp, src/output/text)."""


def significant(value: float, digits: int) -> str:
    """Rounds first, so that 99.96 with three digits becomes "100", not "100.0"."""
    if value == 0:
        return "0"
    rounded, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{float(f'{rounded}e{exponent}'):.{max(0, digits - 1 - int(exponent))}f}"


def duration(seconds: float) -> str:
    """For example "23.0 ms", "1.35 s" or "42 min 7 s"."""
    if seconds < 59.95:
        units = ((0.9995, 1, "s"), (0.9995e-3, 1e-3, "ms"), (0.9995e-6, 1e-6, "µs"), (0, 1e-9, "ns"))
        size, unit = next((size, unit) for least, size, unit in units if seconds >= least)
        return f"{significant(seconds / size, 3)} {unit}"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    minutes = (whole + 30) // 60
    return f"{minutes // 60} h {minutes % 60} min"
