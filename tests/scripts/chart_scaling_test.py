"""Tests of the chart of rows per second against the number of GPUs or processes."""

import unittest

import synthetic_report
from chart_support import ChartTest, words_on
from mpsbench_py import chart_scaling, reports


def scaled(ranks: tuple[int, ...] = (1, 2, 4), strong: bool = False, **options: object) -> dict:
    """A report with cases of these numbers of processes, whose steps all take equally long."""
    report = synthetic_report.make(1, modes=("train",), batches=(8,), samples=5, **options)
    cases = []
    for count in ranks:
        case = synthetic_report.make(1, modes=("train",), batches=(8,), samples=5, **options)["cases"][0]
        case["spec"] |= {"ranks": count, "threads": 4 // count}
        if count > 1:
            case["id"] += f"+ranks={count}"
            case["spec"] |= {"bucket_bytes": 1000, "scaling": "strong" if strong else "weak"}
            if strong:
                case["spec"]["batch_size"] //= count
        rows = case["metrics"]["rows_per_second"]
        together = 1 if strong else count
        rows |= {"value": rows["value"] * together, "ci95": [together * end for end in rows["ci95"]]}
        cases.append(case)
    return report | {"cases": cases}


class Scaling(ChartTest):
    def draw(self, *data: dict) -> list:
        return chart_scaling.draw(self.load(*data))

    def test_a_line_and_its_ideal(self) -> None:
        (figure,) = self.draw(scaled())
        (axes,) = figure.axes
        line, ideal = axes.containers[0].lines[0], axes.get_lines()[-1]
        first = line.get_ydata()[0]
        self.assertEqual(list(line.get_xdata()), [1, 2, 4])
        for count, rate in zip(line.get_xdata(), line.get_ydata(), strict=True):
            self.assertAlmostEqual(rate, count * first)
        self.assertEqual((list(ideal.get_xdata()), list(ideal.get_ydata())), ([1, 4], [first, 4 * first]))
        self.assertIn("GPUs or processes", words_on(figure))

    def test_strong_scaling_keeps_the_total(self) -> None:
        (figure,) = self.draw(scaled(strong=True))
        rates = figure.axes[0].containers[0].lines[0].get_ydata()
        self.assertAlmostEqual(rates[2], rates[0])
        self.assertIn("batch 8 (strong)", words_on(figure))

    def test_without_one_process_there_is_none(self) -> None:
        self.assertEqual(self.draw(scaled((2, 4))), [])
        self.assertEqual(self.draw(synthetic_report.make(1)), [])

    def test_threads_set_by_hand_must_be_equal(self) -> None:
        report = scaled((1, 2))
        report["cases"][1]["id"] += "+threads=2"
        self.assertEqual(self.draw(report), [])
        report["cases"][1]["spec"]["threads"] = 4
        self.assertEqual(len(self.draw(report)), 1)

    def test_rows_are_those_of_all_processes(self) -> None:
        one, two = self.load(scaled((1, 2)))[0].cases
        self.assertAlmostEqual(two.rate.value, 2 * one.rate.value)

    def test_nothing_overlaps(self) -> None:
        for data in ([scaled()], [scaled(), scaled(host="another-host-with-quite-a-long-name")]):
            for figure in self.draw(*data):
                self.check_figure(figure)

    def test_older_reports_have_one_process(self) -> None:
        (case,) = self.load(synthetic_report.make(1, modes=("train",)))[0].cases
        self.assertIsInstance(case, reports.Case)
        self.assertEqual(case.scaling.ranks, 1)


if __name__ == "__main__":
    unittest.main()
