// The labelling page: one question, one key an answer.

import { within, call } from "./api.js";
import { commentDialog, keysDialog, singleKeys, watchSwipes } from "./controls.js";
import { h, notify, put, say } from "./dom.js";
import { instance, summary } from "./instance.js";
import { Queue } from "./queue.js";
import { number, t } from "./texts.js";

/** @typedef {import("./api.js").Project} Project */

/**
 * The keys of each label: a digit, and a letter of its own.
 * @param {string[]} labels
 * @param {boolean} yesNo
 * @returns {string[][]}
 */
export function keysOf(labels, yesNo) {
  const taken = new Set(yesNo ? "axufw" : "ufw");
  return labels.map((label, index) => {
    const keys = yesNo ? [["a", "x"][index]] : [];
    if (index < 10) keys.push(String((index + 1) % 10));
    const letter = Array.from(label.toLowerCase()).find((one) => /\p{L}/u.test(one) && !taken.has(one));
    if (letter) {
      taken.add(letter);
      keys.push(letter);
    }
    return keys;
  });
}

/** @param {string} key */
function key(key) {
  return h("kbd", { "aria-hidden": "true" }, key);
}

class LabelPage {
  /** @param {HTMLElement} place @param {string} user @param {Project} project */
  constructor(place, user, project) {
    this.project = project;
    this.yesNo = project.kind === "yes-no";
    this.keys = keysOf(project.labels, this.yesNo);
    this.queue = new Queue(user, project.id, {
      changed: () => this.draw(),
      told: (kind, id, why) => notify(t(kind, { id, why })),
    });
    /** @type {import("./api.js").Question | null} the question that is on the page */
    this.drawn = null;
    this.wasOnline = true;
    this.why = false;
    this.flag = false;
    this.comment = "";
    /** @type {import("./api.js").Question | null} the question that the open comment is about */
    this.flagged = null;
    this.fold = { open: false };
    /** @type {(name: string, text: string, shortcut: string, action: () => void) => HTMLButtonElement} */
    const button = (name, text, shortcut, action) => h("button", { type: "button", class: `small ${name}`,
      onclick: this.click(action) }, text, " ", key(shortcut));
    this.state = h("p", { class: "state" });
    this.card = h("article", { class: "card", tabindex: -1, "aria-label": t("instance") });
    this.reason = h("aside", { class: "why", hidden: true, "aria-label": t("why") });
    this.choices = h("div", { class: this.yesNo ? "choices two" : "choices", role: "group", "aria-label": t("choices") },
      this.project.labels.map((label, index) => h("button", {
        type: "button", class: this.yesNo ? ["yes", "no"][index] : "choice",
        onclick: this.click(() => this.answer(index)),
      }, h("span", { dir: "auto" }, this.nameOf(label)), " ", this.keys[index].slice(0, this.yesNo ? 1 : 2).map(key))));
    this.flagButton = button("flag", t("flag"), "f", () => this.askComment());
    this.undoButton = button("undo", t("undo"), "⌫", () => this.undo());
    this.whyButton = button("whybutton", t("why"), "w", () => this.toggleWhy());
    this.more = h("div", { class: "more", role: "group", "aria-label": t("more") },
      button("skip", t("skip"), t("space"), () => this.answer(null)),
      button("unsure", t("unsure"), "u", () => this.answer(null, true)),
      this.flagButton, this.undoButton, this.whyButton,
      button("keys", t("keys"), "?", () => this.keysDialog.showModal()));
    this.heldList = h("ol", { class: "held", reversed: true });
    this.heldBox = h("details", {}, h("summary", {}, t("last-answers")), h("p", { class: "hint" }, t("last-answers-hint")),
      this.heldList);
    this.keysDialog = keysDialog(project.labels.map((label, index) => [this.nameOf(label), this.keys[index]]), this.yesNo);
    this.commentDialog = commentDialog((flag, comment) => this.setFlag(flag, comment));
    put(place, h("div", { class: "label" },
      h("p", { class: "where" }, h("a", { href: `#/p/${this.project.id}`, dir: "auto" }, this.project.name)),
      this.state, h("h1", { dir: "auto" }, this.project.question || t("which-label")), this.card, this.choices, this.more,
      this.reason, this.heldBox),
    this.keysDialog, this.commentDialog);
    if (this.yesNo) watchSwipes(this.card, (index) => this.answer(index));
    this.draw();
    this.onKey = this.onKey.bind(this);
    document.addEventListener("keydown", this.onKey);
    void this.queue.start();
  }

  stop() {
    document.removeEventListener("keydown", this.onKey);
    this.queue.stop();
  }

  /** @param {string} label of a yes/no project: its answer may be "yes" itself */
  nameOf(label) {
    if (!this.yesNo) return label;
    const word = t(this.project.labels.indexOf(label) === 0 ? "yes" : "no");
    return label.toLowerCase() === word.toLowerCase() ? word : `${word}: ${label}`;
  }

  /**
   * After a click of a mouse or a finger the space bar skips again, and does not press the button again.
   * @param {() => void} action
   * @returns {(event: MouseEvent) => void}
   */
  click(action) {
    return (event) => {
      action();
      if (event.detail > 0 && !document.querySelector("dialog[open]")) this.card.focus({ preventScroll: true });
    };
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    if (target.closest("input, textarea, select, dialog[open]") || !singleKeys()) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    const action = this.actionOf(event.key.toLowerCase());
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** @param {string} pressed @returns {(() => void) | null} */
  actionOf(pressed) {
    const index = this.keys.findIndex((keys) => keys.includes(pressed));
    if (index >= 0) return () => this.answer(index);
    switch (pressed) {
      case " ": return () => this.answer(null);
      case "u": return () => this.answer(null, true);
      case "backspace": return () => this.undo();
      case "f": return () => this.askComment();
      case "w": return () => this.toggleWhy();
      case "?": return () => this.keysDialog.showModal();
      default: return null;
    }
  }

  /** @param {number | null} index of a label; null: skipped, or unsure @param {boolean} [unsure] */
  answer(index, unsure = false) {
    const label = index === null ? null : this.project.labels[index];
    this.queue.answer({ label, unsure, flag: this.flag, comment: this.comment });
  }

  undo() {
    const [last] = this.queue.given;
    if (last) void this.queue.undo(last);
    else notify(t("nothing-to-undo"));
  }

  toggleWhy() {
    this.why = !this.why;
    this.drawCard();
  }

  askComment() {
    if (!this.queue.current) return;
    this.flagged = this.queue.current;
    this.commentDialog.showModal();
  }

  /** @param {boolean} flag @param {string} comment */
  setFlag(flag, comment) {
    if (this.queue.current !== this.flagged) return;
    this.flag = flag;
    this.comment = comment;
    this.drawCard();
    this.card.focus({ preventScroll: true });
  }

  draw() {
    if (this.queue.current !== this.drawn || !this.queue.current) {
      const isNew = this.queue.current !== this.drawn;
      this.drawn = this.queue.current;
      if (isNew) {
        this.why = this.flag = this.fold.open = false;
        this.comment = "";
        if (this.drawn) say(summary(this.drawn));
      }
      this.drawCard();
    }
    this.drawState();
    this.drawHeld();
  }

  drawCard() {
    const question = this.drawn;
    for (const button of this.choices.querySelectorAll("button")) button.disabled = !question;
    for (const button of this.more.querySelectorAll("button.skip, button.unsure, button.flag, button.whybutton")) {
      /** @type {HTMLButtonElement} */ (button).disabled = !question;
    }
    this.flagButton.setAttribute("aria-pressed", String(this.flag));
    this.whyButton.setAttribute("aria-expanded", String(this.why));
    this.reason.hidden = !this.why || !question;
    if (question) this.card.dataset.id = String(question.id);
    else delete this.card.dataset.id;
    if (!question) {
      const nothing = this.queue.nothing;
      const text = !nothing ? t(this.queue.online ? "loading" : "no-network") : t(`nothing-${nothing.reason}`);
      if (this.card.dataset.shown === text) return;
      this.card.dataset.shown = text;
      put(this.card, h("h2", {}, text), nothing?.reason === "refused" && h("p", { dir: "auto" }, nothing.detail),
        nothing && h("p", {}, h("a", { href: `#/p/${this.project.id}` }, t("to-dashboard"))));
      if (nothing) say(text);
      return;
    }
    delete this.card.dataset.shown;
    put(this.card, this.flag && h("p", { class: "flagged", dir: "auto" }, `${t("flagged")} ${this.comment}`),
      instance(question, this.why, this.fold));
    if (this.why) this.drawWhy(question);
  }

  /** @param {import("./api.js").Question} question */
  drawWhy({ why, prediction, margin, words = [] }) {
    put(this.reason, h("h2", {}, t("why-asked")),
      prediction !== undefined && h("p", { dir: "auto" }, t("predicted", { label: prediction, margin: number(margin ?? 0, 3) })),
      why && h("p", { class: "mono" }, why),
      words.length > 0 && h("ul", { class: "words" }, words.map(([word, weight]) =>
        h("li", { dir: "auto" }, h("mark", { class: weight < 0 ? "against" : "for" }, word),
          ` ${weight > 0 ? "+" : ""}${number(weight, 2)}`))));
  }

  drawState() {
    const { progress, pace, outbox, online } = this.queue;
    const waiting = outbox.entries.length;
    if (online !== this.wasOnline) say(t(online ? "online-again" : "offline", { n: waiting }));
    this.wasOnline = online;
    put(this.state,
      progress && h("span", {}, t("answers-today", { n: number(progress.answered_today) })),
      pace > 0 && h("span", {}, t("pace", { n: number(pace) })),
      progress && progress.left_in_budget !== null && h("span", {}, t("left-in-budget", { n: number(progress.left_in_budget) })),
      progress && h("span", {}, t("questions-wait", { n: number(progress.pending) })),
      !online && h("strong", { class: "offline" }, t("offline", { n: waiting })),
      online && waiting > 3 && h("span", {}, t("sending", { n: waiting })),
      outbox.forgets && waiting > 0 && h("strong", { class: "offline" }, t("browser-forgets")));
  }

  drawHeld() {
    const keys = this.queue.given.map(({ key: one }) => one).join();
    this.undoButton.disabled = keys === "";
    if (this.heldList.dataset.keys === keys) return; // the focus stays where it is
    this.heldList.dataset.keys = keys;
    put(this.heldList, this.queue.given.map((given) => h("li", {},
      h("button", { type: "button", class: "small", onclick: this.click(() => void this.queue.undo(given)) },
        h("span", { class: "unseen" }, t("change")), " ",
        h("b", { dir: "auto" }, given.label ?? t(given.unsure ? "unsure" : "skipped")), " ",
        h("span", { dir: "auto" }, given.text)))));
  }
}

/** @param {HTMLElement} place @param {import("./api.js").Me} me @param {string} id */
export async function labelPage(place, me, id) {
  const project = /** @type {Project} */ (await call("GET", within(id)));
  const page = new LabelPage(place, me.name, project);
  return { title: `${t("label")} · ${project.name}`, stop: () => page.stop() };
}
