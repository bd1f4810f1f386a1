"""Figures with the look of the pages that the command line writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .results import BoundResult, CompareResult, Covered, EvaluateResult, ReproduceResult, RunResult, TuneResult

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
    found = [point for point in result.points if point.failure is None]
    samplers = list(dict.fromkeys(point.sampler for point in found))
    for k, sampler in enumerate(samplers):
        points = [point for point in found if point.sampler == sampler]
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


def _bars(ax: Axes, names: list[str], values: list[float], label: str) -> None:
    ax.barh(range(len(names)), values, height=0.6, color=COLOURS[0], label=label)
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()


def plot_tune(result: TuneResult, metric: str, ax: Axes | None) -> Axes:
    """A bar for every candidate, the best first."""
    ax = _axes(ax)
    found = [tuned for tuned in result.tuned if tuned.failure is None]
    _bars(ax, [f"{tuned.learner}\n{tuned.rule}" for tuned in found], [getattr(tuned, metric) for tuned in found], metric)
    ax.set_xlim(0, 1)
    ax.set_xlabel("F" if metric == "f1" else metric)
    return ax


def plot_bound(result: BoundResult, ax: Axes | None) -> Axes:
    """A bar for the bound of every theorem, and a line for the mistakes of its task."""
    ax = _axes(ax)
    rows = [(task, theorem) for task in result.tasks for theorem in task["theorems"] if theorem["applies"]]
    several = len(result.tasks) > 1
    _bars(ax, [f"{task['task']}: {theorem['theorem']}" if several else theorem["theorem"] for task, theorem in rows],
          [theorem["bound"] for _, theorem in rows], "bound")
    for place, (task, _) in enumerate(rows):
        ax.vlines(task["mistakes"]["mean"], place - 0.4, place + 0.4, color=COLOURS[1], linewidth=2.5,
                  label="mistakes" if place == 0 else "_")
    ax.set_xlabel("mistakes")
    ax.legend(frameon=False, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return ax


def plot_evaluate(result: EvaluateResult, ax: Axes | None) -> Axes:
    """Precision over recall, or F of every task with its interval."""
    ax = _axes(ax)
    if result.curve and result.average_precision:
        ax.plot([point.recall.value for point in result.curve], [point.precision.value for point in result.curve],
                color=COLOURS[0], marker="o", markersize=4, linewidth=1.5,
                label=f"average precision {result.average_precision.value:.3f}")
        only = result.tasks[0]
        ax.plot(only.recall.value, only.precision.value, marker="D", markersize=8, linestyle="none", color=COLOURS[1],
                label="the model's own threshold")
        ax.set(xlabel="recall", ylabel="precision", xlim=(0, 1.02), ylim=(0, 1.02))
        ax.legend(frameon=False, loc="lower left")
        return ax
    values = [task.f1 for task in result.tasks]
    places = list(range(len(values)))
    ax.errorbar([value.value for value in values], places, color=COLOURS[0], fmt="o", capsize=2,
                xerr=[[value.value - value.low for value in values], [value.high - value.value for value in values]])
    ax.set_yticks(places, [task.task for task in result.tasks])
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.set_xlabel("F, with 95% intervals")
    return ax


def plot_reproduce(result: ReproduceResult, ax: Axes | None) -> Axes:
    """How many claims hold."""
    ax = _axes(ax)
    counts = {"reproduced": sum(verdict.holds for verdict in result.verdicts),
              "too close to tell": sum(verdict.tie for verdict in result.verdicts)}
    counts["not reproduced"] = len(result.verdicts) - sum(counts.values())
    _bars(ax, list(counts), [float(count) for count in counts.values()], "claims")
    ax.set_xlabel(f"claims of {result.paper}")
    ax.set_xticks(range(0, max(counts.values()) + 1, max(1, max(counts.values()) // 8)))
    return ax


def plot_coverage(figures: dict[str, Covered], ax: Axes | None) -> Axes:
    """The share of the runs whose interval contained the truth, for every figure."""
    ax = _axes(ax)
    _bars(ax, list(figures), [figure.always for figure in figures.values()], "at all times")
    ax.plot([figure.at_end for figure in figures.values()], range(len(figures)), marker="D", linestyle="none",
            color=COLOURS[1], label="at the end")
    ax.set_xlim(0, 1.02)
    ax.set_xlabel("runs whose 95% interval contained the truth")
    ax.legend(frameon=False, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return ax
