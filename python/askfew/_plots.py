"""Figures with the look of the pages that the command line writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .workflows import CompareResult, RunResult

COLOURS = ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377", "#888888", "#000000", "#EE7733", "#44AA99")


def _axes(ax: Axes | None) -> Axes:
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    ax.grid(color="#dddddd", linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def plot_compare(result: CompareResult, metric: str, ax: Axes | None) -> Axes:
    """The curve of every sampler; bars are 95% intervals of the mean."""
    ax = _axes(ax)
    samplers = list(dict.fromkeys(point.sampler for point in result.points))
    for k, sampler in enumerate(samplers):
        points = [point for point in result.points if point.sampler == sampler]
        values = [getattr(point, metric) for point in points]
        ax.errorbar([100 * point.share.mean for point in points], [value.mean for value in values],
                    yerr=[value.half_width for value in values], color=COLOURS[k % len(COLOURS)], marker="o",
                    markersize=4, linewidth=1.5, capsize=2, label=sampler)
    ax.set_xscale("log")
    ax.set_xlabel("labels asked, % of the rounds")
    rates = sorted({100 * point.rate for point in result.points})
    ax.set_xticks(rates, [f"{rate:.3g}" for rate in rates])
    ax.minorticks_off()
    ax.set_ylabel("F" if metric == "f1" else metric)
    ax.legend(frameon=False)
    return ax


def plot_run(result: RunResult, ax: Axes | None) -> Axes:
    """F and the share of labels of every task."""
    ax = _axes(ax)
    names = [task.task for task in result.tasks]
    places = range(len(names))
    ax.barh([place - 0.2 for place in places], [task.f1 for task in result.tasks], height=0.38, color=COLOURS[0],
            label="F")
    ax.barh([place + 0.2 for place in places], [task.asked / max(1, task.rounds) for task in result.tasks], height=0.38,
            color=COLOURS[1], label="share of labels asked")
    ax.set_yticks(list(places), names)
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.legend(frameon=False, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return ax
