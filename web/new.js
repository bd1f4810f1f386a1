// Makes a project from pasted or uploaded rows, without a terminal.

import { call, within } from "./api.js";
import { field, h, notify, put, table } from "./dom.js";
import { plain, shorten } from "./instance.js";
import { rowsOf } from "./rows.js";
import { number, t } from "./texts.js";
/** @import { Row } from "./rows.js" */

/** @typedef {{name: string, values: Map<string, number> | null, lists: boolean, letters: number, numeric: boolean, distinct: boolean}} Column
 *    `values` with their counts, or null where they are too many or too long to be labels; `lists`: some rows have several of them;
 *    `distinct`: may be an id */
/** @typedef {{count: number, first: Row[], columns: Column[]}} Found */
/** @typedef {{text: string, id: string, label: string, image: string}} Mapping names of columns, or "" */

const MOST_LABELS = 50;
const LONGEST_NAME = 60; // characters of a label or an id
const SHOWN = 5;
const CHUNK = 500; // instances in a request
const NUMBERS = "\u0000numbers"; // learn from all columns of numbers

/** The labels that a cell names: a label has no comma, so a cell with commas is a list. @param {unknown} raw */
function partsOf(raw) {
  const parts = Array.isArray(raw) ? raw.map(plain) : plain(raw).split(/[,;|]/);
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** Goes through all rows once. @param {string | Blob} source @param {(rows: number) => void} progress @returns {Promise<Found>} */
async function survey(source, progress) {
  const columns = /** @type {Map<string, Column & {seen: Set<string>}>} */ (new Map());
  const first = /** @type {Row[]} */ ([]);
  let count = 0;
  for await (const row of rowsOf(source)) {
    if (first.length < SHOWN) first.push(row);
    ++count;
    for (const [name, raw] of Object.entries(row)) {
      const value = plain(raw);
      const column = columns.get(name) ?? { name, values: new Map(), lists: false, letters: 0, numeric: true, distinct: true, seen: new Set() };
      columns.set(name, column);
      column.letters += value.length;
      column.numeric &&= value !== "" && Number.isFinite(Number(value));
      if (column.distinct) column.distinct = value.length <= LONGEST_NAME && !column.seen.has(value) && !!column.seen.add(value);
      const parts = column.values ? partsOf(raw) : [];
      column.lists ||= parts.length > 1;
      for (const part of parts) column.values?.set(part, (column.values.get(part) ?? 0) + 1);
      if (column.values && (column.values.size > MOST_LABELS || parts.some((part) => part.length > LONGEST_NAME))) column.values = null;
    }
    if (count % 10000 === 0) progress(count);
  }
  if (count === 0) throw new Error(t("no-rows"));
  return { count, first, columns: [...columns.values()].map(({ seen, ...column }) => column) };
}

/** What the columns probably are. @param {Found} found @returns {Mapping} */
function guess({ columns, count }) {
  const named = (/** @type {RegExp} */ pattern) => columns.filter(({ name }) => pattern.test(name));
  const label = [...named(/^(labels?|topics?|tags?|class|category|target|y|v1|klasse|themen)$/i),
    ...columns.filter(({ numeric, lists }) => !numeric && !lists)]
    .find(({ values, lists }) => values && values.size >= 2 && (lists || values.size <= Math.max(2, count / 2)))?.name ?? "";
  const id = named(/^(id|nr|number|key|uuid)$/i).find(({ distinct }) => distinct)?.name ?? "";
  const image = named(/^(image|img|picture|photo|bild)$/i)[0]?.name ?? "";
  const texts = columns.filter(({ name, numeric }) => !numeric && ![label, id, image].includes(name));
  const text = texts.reduce((best, one) => (one.letters > (best?.letters ?? 0) ? one : best), /** @type {Column | null} */ (null));
  return { text: text?.name ?? NUMBERS, id, label, image };
}

/** A row as an instance. Columns without a role are shown to the annotator, except the label. @param {Row} row
 * @param {number} index @param {Mapping} mapping @param {Column[]} columns */
function instanceOf(row, index, mapping, columns) {
  const rest = columns.filter(({ name }) => ![mapping.text, mapping.id, mapping.label, mapping.image].includes(name));
  const fields = Object.fromEntries(rest.map(({ name }) => [name, plain(row[name])]).filter(([, value]) => value !== ""));
  const content = mapping.text === NUMBERS
    ? { features: Object.fromEntries(rest.filter(({ numeric }) => numeric).map(({ name }) => [name, Number(row[name])])) }
    : { text: plain(row[mapping.text]) };
  return {
    id: mapping.id ? plain(row[mapping.id]) : String(index + 1), ...content,
    ...(mapping.image ? { image: plain(row[mapping.image]) } : {}),
    ...(Object.keys(fields).length > 0 ? { fields } : {}),
  };
}

/** About half the width of the error's 95% interval if one of ten predictions is wrong and only the audit asks. The two
 * constants fit the widths that docs/honest-estimates.md measures. @param {number} labels of the audit */
export function halfWidth(labels) {
  return Math.min(2.7 * Math.sqrt(0.1 / labels) + 2.5 / labels, 1);
}

/** @param {number} share rounded up to a tenth of a percent */
function share(share) {
  return `${Math.max(Math.ceil(share * 1000) / 10, 0.1)}%`;
}

class NewProject {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.source = /** @type {string | Blob} */ ("");
    this.paste = h("textarea", { rows: 8, spellcheck: "false", placeholder: "text,label\nfree prizes now,spam\nsee you at noon,ham" });
    this.file = h("input", { type: "file", accept: ".csv,.tsv,.txt,.jsonl,.ndjson,.json" });
    this.progress = h("p", { class: "hint", role: "status" });
    this.second = h("div", {});
    put(place,
      h("h1", {}, t("new-project")),
      h("h2", {}, t("step-rows")),
      field(t("paste"), this.paste, t("paste-hint")), field(t("upload"), this.file),
      h("p", { class: "more" }, h("button", { type: "button", class: "main", onclick: () => void this.read() }, t("read-rows"))),
      this.progress, this.second);
  }

  async read() {
    this.source = this.file.files?.[0] ?? this.paste.value;
    put(this.second);
    try {
      const found = await survey(this.source, (rows) => put(this.progress, t("rows-read", { n: number(rows) })));
      put(this.progress, t("rows-found", { n: number(found.count), columns: found.columns.length }));
      this.ask(found);
    } catch (error) {
      put(this.progress, t("cannot-read", { why: /** @type {Error} */ (error).message }));
    }
  }

  /** @param {Found} found */
  ask(found) {
    const { count, first, columns } = found;
    const names = columns.map(({ name }) => name);
    const guessed = guess(found);
    const mapped = (/** @type {string} */ chosen, /** @type {[string, string][]} */ others) => h("select", { onchange: () => choose() },
      others.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
      names.map((name) => h("option", { value: name, selected: name === chosen }, name)));
    const text = mapped(guessed.text, [[NUMBERS, t("numbers")]]);
    const id = mapped(guessed.id, [["", t("row-number")]]);
    const label = mapped(guessed.label, [["", t("none")]]);
    const image = mapped(guessed.image, [["", t("none")]]);
    const name = h("input", { required: true, maxlength: 100, autocomplete: "off", dir: "auto" });
    const question = h("input", { maxlength: 500, autocomplete: "off", dir: "auto" });
    const kind = h("select", { onchange: () => preview() },
      ["one", "together", "apart"].map((value) => h("option", { value }, t(`kind-${value}`))));
    const labels = h("textarea", { rows: 3, required: true, dir: "auto", oninput: () => preview() });
    const most = Math.min(count, 200);
    const budget = h("input", { type: "number", min: 1, value: most, required: true, oninput: () => {
      if (auditFollows && budget.valueAsNumber > 0) audit.value = usualAudit(budget.valueAsNumber);
      preview();
    } });
    // Until a person types an audit, it is a fixed part of the budget.
    const usualAudit = (/** @type {number} */ labels) => share((0.4 * Math.min(labels, count)) / count);
    let auditFollows = true;
    const audit = h("input", { value: usualAudit(most), pattern: "\\s*[0-9]+([.,][0-9]+)?\\s*%\\s*", title: t("audit-form"),
      required: true, oninput: () => {
        auditFollows = false;
        preview();
      } });
    const auditShare = () => audit.value.replace(/\s/g, "").replace(",", ".");
    const sampler = h("input", { value: "auto", required: true, autocomplete: "off" });
    const seed = h("input", { type: "number", min: 0, value: 1, required: true });
    const known = h("p", { class: "advice", "aria-live": "polite" });
    const progress = h("div", { "aria-live": "polite" });
    const go = h("button", { class: "main" }, t("make-project"));

    const choose = () => {
      const column = columns.find(({ name: one }) => one === label.value);
      const values = column?.values;
      kind.value = values && column?.lists ? "together" : "one";
      // The rarer label comes first: it is the one that a question asks for.
      const found = values ? [...values].sort((a, b) => a[1] - b[1]).map(([value]) => value) : [];
      if (found.length >= 2) labels.value = found.join("\n");
      else if (labels.value === "") labels.value = `${t("yes")}\n${t("no")}`.toLowerCase();
      if (label.value && !values) notify(t("too-many-labels", { n: MOST_LABELS }));
      preview();
    };
    const labelList = () => labels.value.split("\n").map((line) => line.trim()).filter(Boolean);
    const preview = () => {
      if (!go.disabled) put(progress); // what was wrong before
      const audited = Math.min((parseFloat(auditShare()) / 100) * count, budget.valueAsNumber);
      const [first, ...others] = labelList();
      question.placeholder = kind.value !== "one" ? t("which-topics")
        : others.length === 1 ? t("is-this", { label: first }) : t("which-label");
      if (!(audited > 0)) return put(known);
      const width = halfWidth(audited);
      const largest = Math.floor((0.8e3 * budget.valueAsNumber) / count) / 10;
      put(known, audited > 0.8 * budget.valueAsNumber ? t("audit-too-large", { largest: number(largest, 1) }) : t(width > 0.5 ? "known-too-little" : "known-to",
        { labels: number(budget.valueAsNumber), audited: number(Math.round(audited)), width: number(100 * width) }));
    };
    const submit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const all = labelList();
      const mapping = { text: text.value, id: id.value, label: label.value, image: image.value };
      go.disabled = true;
      try {
        const project = await call("POST", "projects", {
          name: name.value.trim(), question: question.value.trim() || question.placeholder, labels: all,
          kind: kind.value !== "one" ? "topics" : all.length === 2 ? "yes-no" : "classes",
          ...(kind.value !== "one" ? { ask: kind.value } : {}), budget: budget.value, audit: auditShare(),
          sampler: sampler.value.trim(), seed: seed.valueAsNumber, horizon: count, expire: "",
        });
        await this.send(project.id, found, mapping, progress);
        location.hash = `#/p/${project.id}`;
      } catch (error) {
        put(progress, h("p", { class: "bad" }, /** @type {Error} */ (error).message));
      }
      go.disabled = false;
    };
    put(this.second,
      table(t("first-rows"), names, first.map((row) => names.map((one) => shorten(plain(row[one]))))),
      h("form", { onsubmit: submit },
        h("h2", {}, t("step-columns")),
        h("div", { class: "pair" }, field(t("learn-from"), text), field(t("label-column"), label, t("label-column-hint")),
          field(t("id-column"), id), field(t("image-column"), image)),
        h("h2", {}, t("step-question")),
        field(t("name"), name), field(t("question"), question), field(t("kind"), kind, t("kind-hint")),
        field(t("label-names"), labels, t("label-names-hint")),
        h("h2", {}, t("step-budget")),
        h("div", { class: "pair" }, field(t("budget"), budget, t("budget-hint")), field(t("audit"), audit, t("audit-hint"))),
        known,
        h("details", {}, h("summary", {}, t("more-settings")),
          h("div", { class: "pair" }, field(t("sampler"), sampler, t("sampler-hint")), field(t("seed"), seed))),
        h("p", { class: "more" }, go), progress));
    choose();
    name.focus();
  }

  /** Sends all rows, some at a time, and shows how far it is. @param {string} project @param {Found} found @param {Mapping} mapping
   * @param {HTMLElement} place */
  async send(project, { count, columns }, mapping, place) {
    const bar = h("progress", { max: count, value: 0, "aria-label": t("sending-rows") });
    put(place, h("p", {}, t("sending-rows"), " ", bar));
    let instances = /** @type {object[]} */ ([]);
    let sent = 0;
    let refused = 0;
    let why = "";
    const flush = async () => {
      const { answers } = await call("POST", within(project, "/pool"), instances);
      for (const answer of answers) {
        if (!answer.error) continue;
        why ||= `${answer.id ?? ""}: ${answer.error}`;
        ++refused;
      }
      sent += instances.length;
      bar.value = sent;
      instances = [];
    };
    for await (const row of rowsOf(this.source)) {
      instances.push(instanceOf(row, sent + instances.length, mapping, columns));
      if (instances.length === CHUNK) await flush();
    }
    if (instances.length > 0) await flush();
    if (refused > 0) notify(t("rows-refused", { n: number(refused), why }));
  }
}

/** @param {HTMLElement} place */
export function newPage(place) {
  void new NewProject(place);
  return { title: t("new-project"), stop: () => {} };
}
