// A project's page: what was spent, how good the predictions are, who labelled, what waits. Live by events.

import { call, download, within } from "./api.js";
import { chart, smallChart } from "./chart.js";
import { attempt, field, h, notify, put, table } from "./dom.js";
import { summary } from "./instance.js";
import { rowsOf } from "./rows.js";
import { number, percent, t } from "./texts.js";
/** @import { Change, Disagreement, Interval, Me, Point, Project, Question, Report, TopicReport } from "./api.js" */
/** @import { Line } from "./chart.js" */

const REFRESH = 1000; // milliseconds between two readings of the report
const DECISIONS = 20; // that are shown

/** The estimate, or null while it may be anything. @param {Interval | null | undefined} interval */
function known(interval) {
  return interval && (interval.low > 0 || interval.high < 1) ? interval : null;
}

/** @param {string} name @param {string} value @param {string} [hint] */
function tile(name, value, hint) {
  return h("div", { class: "tile" }, h("dt", {}, name), h("dd", {}, value), hint && h("dd", { class: "hint" }, hint));
}

/** @param {string} name @param {Interval | null | undefined} interval @param {(value: number) => string} format */
function estimateTile(name, interval, format) {
  const one = known(interval);
  if (!one) return tile(name, t("unknown-yet"));
  return tile(name, format(one.value), t("interval", { low: format(one.low), high: format(one.high) }));
}

/** The whole budget; null without a budget of a fixed number. @param {Report} report */
function wholeBudget({ plan }) {
  return plan && plan.left !== null ? plan.asked + plan.left : null;
}

/** @param {Report} report */
function tiles(report) {
  const { estimate } = report;
  const due = report.plan?.planned ?? null;
  const planned = due === null ? undefined : t("planned", { n: number(Math.floor(due)) });
  const whole = wholeBudget(report);
  const spent = whole === null ? number(report.asked) : t("of", { n: number(report.asked), all: number(whole) });
  const f = estimate?.whole?.f1 ?? estimate?.whole?.f;
  return h("dl", { class: "tiles" },
    tile(t("rounds"), number(report.rounds)),
    tile(t("asked"), spent, planned),
    tile(t("answered"), number(report.answered), report.held > 0 ? t("held", { n: number(report.held) }) : undefined),
    tile(t("waiting"), number(report.pending)),
    estimate && estimateTile(t("error"), estimate.whole?.error, percent),
    f && estimateTile("F", f, (value) => number(value, 3)),
    report.agreement?.kappa && estimateTile(t("kappa"), report.agreement.kappa, (value) => number(value, 2)));
}

/** @param {Report} report */
function advice({ estimate }) {
  const next = estimate?.next_labels;
  if (!estimate) return h("p", {}, t("no-audit"));
  if (!next) return h("p", {}, t("no-advice"));
  const points = { n: number(next.labels), low: number(100 * next.low, 1), high: number(100 * next.high, 1) };
  return h("p", { class: "advice" }, t(next.low > 0 ? "advice" : "advice-maybe", points));
}

/** @param {Change} change */
function alarm({ kind, round, since }) {
  return { x: round, text: t(`change-${kind}`, { since: number(since), round: number(round) }) };
}

/** An estimate over the rounds. @param {Point[]} points @param {"error" | "f1"} name */
function band(points, name) {
  return points.flatMap((point) => {
    const interval = known(point[name]);
    return interval ? [{ x: point.round, y: interval.value, low: interval.low, high: interval.high }] : [];
  });
}

/** What the points say about one topic. @param {Point[]} points @param {string} topic @returns {Point[]} */
function pointsOf(points, topic) {
  return points.map((point) => ({ ...point, ...point.topics?.[topic] }));
}

/** @param {Interval | null | undefined} interval @param {(value: number) => string} format */
function estimateText(interval, format) {
  const one = known(interval);
  return one ? `${format(one.value)} [${format(one.low)}, ${format(one.high)}]` : "–";
}

/** One row per topic. @param {Record<string, TopicReport>} topics @param {Point[]} points */
function topicTable(topics, points) {
  const rounds = points[points.length - 1]?.round ?? 0;
  return table(t("topics"), [t("topic"), t("asked"), t("learned"), t("waiting"), t("error"), "F", t("error-over")],
    Object.entries(topics).map(([topic, one]) => [topic, number(one.asked), number(one.labels.learned), number(one.pending),
      estimateText(one.estimate?.whole?.error, percent), estimateText(one.estimate?.whole?.f1, (value) => number(value, 2)),
      smallChart(`${t("error-over")}, ${topic}`, band(pointsOf(points, topic), "error"), rounds, percent)]));
}

/** @param {Report} report @param {Point[]} points */
function charts(report, points) {
  const marks = (report.estimate?.changes ?? []).map(alarm);
  /** @type {Line[]} */
  const spend = [{ name: t("asked"), look: "a", points: points.map(({ round, asked }) => ({ x: round, y: asked })) }];
  const curve = report.plan?.curve ?? [];
  if (curve.length > 0) {
    spend.push({ name: t("plan"), look: "b", points: curve.map(({ round, labels }) => ({ x: round, y: labels })) });
  }
  const f = band(points, "f1");
  return h("div", { class: "charts" },
    chart({ title: t("spend"), lines: spend, format: (value) => number(value), step: 1 }),
    report.estimate && chart({ title: t("error-over"), lines: [{ name: t("error"), look: "a", points: band(points, "error") }], marks,
      format: percent, most: 1 }),
    f.length > 0 && chart({ title: t("f-over"), lines: [{ name: "F", look: "a", points: f }], marks,
      format: (value) => number(value, 2), most: 1 }));
}

/** @param {Report} report */
function annotators({ annotators: people }) {
  if (!people?.length) return h("p", { class: "hint" }, t("nobody"));
  const agreed = people.some(({ agreement }) => agreement !== null);
  const heads = [t("name"), t("learned"), t("unsure"), t("skipped"), t("seconds"), ...(agreed ? [t("agreement")] : [])];
  return table(t("annotators"), heads,
    people.map((one) => [one.name, number(one.answers), number(one.unsure), number(one.skipped),
      one.seconds_median === null ? "–" : number(one.seconds_median, 1),
      ...(agreed ? [one.agreement === null ? "–" : percent(one.agreement)] : [])]));
}

class Dashboard {
  /** @param {HTMLElement} place @param {Me} me @param {Project} project */
  constructor(place, me, project) {
    this.project = project;
    this.hasTopics = project.kind === "topics";
    this.stopped = false;
    this.due = false;
    this.reading = false;
    this.figures = h("div", {});
    this.estimates = h("div", {});
    this.topic = h("select", { class: "short", onchange: () => this.drawFigures() });
    this.seen = /** @type {{report: Report, points: Point[]} | null} */ (null);
    this.people = h("section", {});
    this.disputes = h("section", {});
    this.pending = h("div", {});
    this.canChange = me.role === "admin" || me.role === "engineer";
    this.decisions = h("details", { class: "section", ontoggle: () => attempt(() => this.readDecisions()) },
      h("summary", {}, t("newest-decisions")), h("div"));
    this.control = h("details", { class: "section", ontoggle: () => attempt(() => this.readControl()) },
      h("summary", {}, t("random-asking")), h("div"));
    this.order = h("select", { class: "short", onchange: () => attempt(() => this.readPending()) },
      ["oldest", "doubtful", "asked"].map((order) => h("option", { value: order }, t(`order-${order}`))));
    const file = (/** @type {string} */ path, /** @type {string} */ name) =>
      h("li", {}, h("a", { href: `/api/v1/${within(project.id, path)}`, download: true }, name));
    put(place,
      h("h1", { dir: "auto" }, project.name),
      h("p", { dir: "auto" }, project.question),
      me.role !== "reader" && !project.archived && h("p", { class: "more" },
        h("a", { class: "button main", href: `#/p/${project.id}/label` }, t("start-labelling"))),
      h("section", { "aria-label": t("figures") }, this.figures,
        this.hasTopics && field(t("topic-figures"), this.topic), this.estimates,
        project.settings?.audit ? this.control : null),
      h("h2", {}, t("annotators")), this.people,
      me.role === "admin" && invitation(project.id),
      this.disputes,
      h("h2", {}, t("pending-questions")), field(t("order"), this.order), this.pending,
      this.decisions,
      h("h2", {}, t("files")),
      h("ul", { class: "files" }, file("/labels?format=csv", t("labels-csv")), file("/labels?format=jsonl", t("labels-jsonl")),
        file("/decisions?format=csv", t("decisions-csv")), file("/decisions?format=jsonl", t("decisions-jsonl")),
        file("/model", t("model-file"))),
      this.canChange && this.archiveButton());
    this.events = /** @type {EventSource | null} */ (null);
    this.listen = this.listen.bind(this);
    document.addEventListener("visibilitychange", this.listen);
    this.listen();
  }

  /** Follows events while the page is visible: a browser has few connections for all its tabs. */
  listen() {
    this.events?.close();
    if (document.hidden) return;
    this.events = new EventSource(`/api/v1/${within(this.project.id, "/events")}`);
    this.events.addEventListener("open", () => void this.refresh());
    this.events.addEventListener("change", () => void this.refresh());
  }

  stop() {
    this.stopped = true;
    document.removeEventListener("visibilitychange", this.listen);
    this.events?.close();
  }

  /** Reads everything again, at most once a second. */
  async refresh() {
    if (this.reading) {
      this.due = true;
      return;
    }
    this.reading = true;
    do {
      this.due = false;
      await this.read().catch((error) => notify(error.message));
      await new Promise((resolve) => { setTimeout(resolve, REFRESH); });
    } while (this.due && !this.stopped);
    this.reading = false;
  }

  async read() {
    const [report, history] = await Promise.all(
      [call("GET", within(this.project.id, "/report")), call("GET", within(this.project.id, "/history"))]);
    if (this.stopped) return;
    this.seen = { report, points: history.points };
    this.drawFigures();
    put(this.people, annotators(report));
    await Promise.all([this.readPending(), this.readDecisions(), this.readDisputes(report)]);
  }

  drawFigures() {
    if (!this.seen) return;
    const { report, points } = this.seen;
    // Tables that a person has opened stay open.
    const open = [...this.estimates.querySelectorAll("details")].map((details) => details.open);
    const topics = Object.keys(report.topics ?? {});
    if (this.topic.length !== topics.length) put(this.topic, topics.map((topic) => h("option", {}, topic)));
    const one = report.topics ? { ...report, estimate: report.topics[this.topic.value].estimate ?? null } : report;
    put(this.figures, tiles(report), report.topics && topicTable(report.topics, points));
    put(this.estimates, advice(one), charts(one, report.topics ? pointsOf(points, this.topic.value) : points));
    this.estimates.querySelectorAll("details").forEach((details, index) => { details.open = open[index] ?? false; });
  }

  async readPending() {
    const { pending } = await call("GET", within(this.project.id, `/pending?order=${this.order.value}&limit=20`));
    put(this.pending, pending.length === 0 ? h("p", { class: "hint" }, t("nothing-pending"))
      : table(t("pending-questions"), [t("id"), t("instance"), t(this.hasTopics ? "topics" : "margin")],
        pending.map((/** @type {Question} */ { topics, margin = 0, ...one }) =>
          [one.id, summary(one), topics ? topics.map(({ topic }) => topic).join(", ") : number(margin, 3)])));
  }

  /** The questions that people answered differently; one click settles one. @param {Report} report */
  async readDisputes({ agreement, topics }) {
    const all = [agreement, ...Object.values(topics ?? {}).map((one) => one.agreement)].flatMap((one) => (one?.questions ? [one] : []));
    if (all.length === 0) return;
    const sum = (/** @type {"questions" | "disputed"} */ name) => number(all.reduce((before, one) => before + one[name], 0));
    const { disagreements } = await call("GET", within(this.project.id, "/disagreements?limit=20"));
    const { labels } = this.project;
    /** @type {[string, string | boolean][]} what can be said, the first for 1 and the second for -1 */
    const choices = this.hasTopics ? [[t("yes"), true], [t("no"), false]] : labels.map((label) => [label, label]);
    const said = (/** @type {string | number | null} */ label) =>
      (typeof label === "number" ? choices[label > 0 ? 0 : 1][0] : label ?? t("unsure"));
    const settle = (/** @type {string | number} */ id, /** @type {string} */ topic) => h("div", { class: "more" },
      choices.map(([name, label]) => h("button", { type: "button", class: "small", onclick: () => attempt(async () => {
        await call("POST", within(this.project.id, "/settlements"), topic ? { id, labels: { [topic]: label } } : { id, label });
        await this.read();
      }) }, name)));
    const heads = [t("id"), t("instance"), ...(this.hasTopics ? [t("topic")] : []), t("answers"), ...(this.canChange ? [t("settle")] : [])];
    put(this.disputes, h("h2", {}, t("disagreements")),
      h("p", { class: "hint" }, t("disputed-of", { n: sum("disputed"), all: sum("questions") })),
      disagreements.length > 0 && table(t("disagreements"), heads,
        disagreements.flatMap((/** @type {Disagreement} */ one) =>
          Object.entries(one.topics ?? { "": one }).map(([topic, { answers }]) => [one.id, summary(one.instance),
            ...(topic ? [topic] : []), answers.map(({ by, label }) => `${by}: ${said(label)}`).join(", "),
            ...(this.canChange ? [settle(one.id, topic)] : [])]))));
  }

  /** Reads the decisions while a person looks at them: the server reads its whole ledger for their file. */
  async readDecisions() {
    if (!this.decisions.open) return;
    const newest = /** @type {any[]} */ ([]);
    for await (const row of rowsOf(await download(within(this.project.id, "/decisions?format=jsonl")))) {
      newest.unshift(row);
      newest.length = Math.min(newest.length, DECISIONS);
    }
    put(/** @type {Element} */ (this.decisions.lastElementChild), newest.length === 0 ? h("p", { class: "hint" }, t("no-decisions"))
      : table(t("newest-decisions"), [t("round"), t("id"), ...(this.hasTopics ? [t("topic")] : []), t("predicted-short"),
        t("margin"), t("chance"), t("asked")],
        newest.map((one) => [number(one.round), one.id, ...(this.hasTopics ? [one.topic] : []), one.prediction,
          number(one.margin, 3), percent(one.probability), one.asked ? t("yes") : t("no")])));
  }

  /** Compares with random asking when a person wants to know it: the server replays its ledger for this. */
  async readControl() {
    if (!this.control.open) return;
    const found = await call("GET", within(this.project.id, "/control"));
    const rows = Object.entries(found.topics ?? { "": found }).flatMap(([topic, one]) =>
      [[t("this-project"), one.recorded], [t("random-only"), one.what_if]].map(([name, run]) => [...(this.hasTopics ? [topic] : []),
        name, number(run.asked), estimateText(run.error, percent), estimateText(run.f1, (value) => number(value, 2))]));
    put(/** @type {Element} */ (this.control.lastElementChild), h("p", { class: "hint" }, t("random-hint")),
      table(t("random-asking"), [...(this.hasTopics ? [t("topic")] : []), t("sampler"), t("asked"), t("error"), "F"], rows));
  }

  archiveButton() {
    const archived = this.project.archived;
    return h("p", { class: "more" }, h("button", { type: "button", onclick: () => attempt(async () => {
      await call("PATCH", within(this.project.id), { archived: !archived });
      location.hash = "#/";
    }) }, t(archived ? "unarchive" : "archive")));
  }
}

/** A form that makes a link for one more annotator. @param {string} project */
function invitation(project) {
  const name = h("input", { required: true, maxlength: 100, autocomplete: "off", dir: "auto" });
  const result = h("div", { "aria-live": "polite" });
  return h("form", { class: "invite", onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    await attempt(async () => {
      const made = await call("POST", "tokens", { name: name.value.trim(), role: "annotator", projects: [project] });
      const link = h("input", { readonly: true, value: new URL(made.link ?? `/#token=${made.token}`, location.href).href,
        onfocus: () => link.select() });
      put(result, field(t("invite-link", { name: made.name }), link, t("invite-once")),
        h("button", { type: "button", onclick: async () => {
          link.select();
          await navigator.clipboard?.writeText(link.value);
          notify(t("copied"));
        } }, t("copy")));
      name.value = "";
    });
  } }, field(t("invite"), name, t("invite-hint")), h("button", {}, t("invite-button")), result);
}

/** @param {HTMLElement} place @param {Me} me @param {string} id */
export async function dashboardPage(place, me, id) {
  const project = /** @type {Project} */ (await call("GET", within(id)));
  const page = new Dashboard(place, me, project);
  try {
    await page.read();
  } catch (error) {
    page.stop();
    throw error;
  }
  return { title: project.name, stop: () => page.stop() };
}
