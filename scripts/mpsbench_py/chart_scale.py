"""How numbers are written on axes and after bars, and the scales of axes."""

import math

from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

_TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def format_seconds(seconds: float) -> str:
    """For example "141 ms" or "1.2 s": three digits and a unit that fits."""
    if seconds == 0:
        return "0"
    for size, unit in _TIME_UNITS:
        if abs(seconds) >= 0.9995 * size or unit == "ns":
            return f"{_digits(seconds / size)} {unit}"
    return f"{seconds} s"


def format_count(value: float) -> str:
    """For example "226", "1.2 k" or "3.4 M"."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= 0.9995 * size:
            return f"{_digits(value / size)}{unit}"
    return _digits(value)


def _digits(value: float) -> str:
    if abs(value) >= 99.95:
        return f"{value:.0f}"
    return f"{value:.3g}"


def _log_ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers between LOW and HIGH: at least two, at most about MOST."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps in ((1, 2, 5), (1, 3), (1,)):
        ticks = [step * 10.0**power for power in range(first, last + 1) for step in steps]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if 3 <= len(ticks) <= most:
            return ticks
    if len(ticks) > most:
        return ticks[:: -(-len(ticks) // most)]
    return [tick for tick in MaxNLocator(4).tick_values(low, high) if low <= tick <= high]


def scale_log(axis: Axis, low: float, high: float, formatter, most: int = 7) -> None:
    """Makes a log axis from LOW to HIGH, with labels at round numbers even if the range is less than a decade."""
    setter = axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim
    scale = axis.axes.set_xscale if axis.axis_name == "x" else axis.axes.set_yscale
    scale("log")
    setter(low, high)
    axis.set_major_locator(FixedLocator(_log_ticks(low, high, most)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: formatter(value)))


def scale_linear(axis: Axis, low: float, high: float, formatter, most: int = 5) -> None:
    setter = axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim
    setter(low, high)
    axis.set_major_locator(MaxNLocator(most))
    axis.set_major_formatter(FuncFormatter(lambda value, _: formatter(value)))
