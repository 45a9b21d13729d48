"""Runs mpsbench and reads its reports.

import mpsbench
import pandas

records = mpsbench.load("results/h200-four-models.json")
pandas.DataFrame(records)[["model", "mode", "batch_size", "step_seconds", "rows_per_second"]]

records = mpsbench.run("quick", "--repeats", "5")
"""

from mpsbench._program import ProgramError, run
from mpsbench._records import ReportError, load

__all__ = ["ProgramError", "ReportError", "load", "run"]
