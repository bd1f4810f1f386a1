// The labelling page: one question, one key an answer.

import { within, call } from "./api.js";
import { keyCap, labelChoices, topicChoices } from "./choices.js";
import { commentDialog, keysDialog, singleKeys, watchSwipes } from "./controls.js";
import { h, notify, put, say } from "./dom.js";
import { instance, summary } from "./instance.js";
import { Queue } from "./queue.js";
import { number, t } from "./texts.js";
/** @import { Me, Project, Question, Topic } from "./api.js" */
/** @import { Said } from "./choices.js" */
/** @import { Given } from "./queue.js" */

class LabelPage {
  /** @param {HTMLElement} place @param {string} user @param {Project} project */
  constructor(place, user, project) {
    this.project = project;
    this.queue = new Queue(user, project.id, {
      changed: () => this.draw(),
      told: (kind, id, why) => notify(t(kind, { id, why })),
    });
    /** @type {Question | null} the question that is on the page */
    this.drawn = null;
    this.wasOnline = true;
    this.why = 0; // the reasons are hidden; k: those of the k-th topic are shown
    this.flag = false;
    this.comment = "";
    /** @type {Question | null} the question that the open comment is about */
    this.flagged = null;
    this.fold = { open: false };
    /** @type {(name: string, text: string, shortcut: string, action: () => void) => HTMLButtonElement} */
    const button = (name, text, shortcut, action) => h("button", { type: "button", class: `small ${name}`,
      onclick: this.click(action) }, text, " ", keyCap(shortcut));
    this.state = h("p", { class: "state" });
    this.card = h("article", { class: "card", tabindex: -1, "aria-label": t("instance") });
    this.reason = h("aside", { class: "why", hidden: true, "aria-label": t("why") });
    this.choices = (project.kind === "topics" ? topicChoices : labelChoices)(project, (said) => this.answer(said),
      (action) => this.click(action));
    this.flagButton = button("flag", t("flag"), "f", () => this.askComment());
    this.undoButton = button("undo", t("undo"), "⌫", () => this.undo());
    this.whyButton = button("whybutton", t("why"), "w", () => this.toggleWhy());
    this.more = h("div", { class: "more", role: "group", "aria-label": t("more") },
      button("skip", t("skip"), t("space"), () => this.answer({ label: null })),
      button("unsure", t("unsure"), "u", () => this.answer({ label: null }, true)),
      this.flagButton, this.undoButton, this.whyButton,
      button("keys", t("keys"), "?", () => this.keysDialog.showModal()));
    this.heldList = h("ol", { class: "held", reversed: true });
    this.heldBox = h("details", {}, h("summary", {}, t("last-answers")), h("p", { class: "hint" }, t("last-answers-hint")),
      this.heldList);
    const swipes = project.kind === "yes-no";
    this.keysDialog = keysDialog(this.choices.keys, swipes);
    this.commentDialog = commentDialog((flag, comment) => this.setFlag(flag, comment));
    put(place, h("div", { class: "label" },
      h("p", { class: "where" }, h("a", { href: `#/p/${this.project.id}`, dir: "auto" }, this.project.name)),
      this.state, h("h1", { dir: "auto" }, this.project.question || t("which-label")), this.card, this.choices.box, this.more,
      this.reason, this.heldBox),
    this.keysDialog, this.commentDialog);
    if (swipes) watchSwipes(this.card, (index) => this.answer({ label: project.labels[index] }));
    this.draw();
    this.onKey = this.onKey.bind(this);
    document.addEventListener("keydown", this.onKey);
    void this.queue.start();
  }

  stop() {
    document.removeEventListener("keydown", this.onKey);
    this.queue.stop();
  }

  /** After a click of a mouse or a finger the space bar skips again, and does not press the button again.
   * @param {() => void} action @returns {(event: MouseEvent) => void} */
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
    if ((event.key === " " || event.key === "Enter") && target.closest("button, a, summary")) return;
    const action = this.actionOf(event.key.toLowerCase());
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** @param {string} pressed @returns {(() => void) | null} */
  actionOf(pressed) {
    const choice = this.choices.actionOf(pressed);
    if (choice) return choice;
    switch (pressed) {
      case " ": return () => this.answer({ label: null });
      case "u": return () => this.answer({ label: null }, true);
      case "backspace": return () => this.undo();
      case "f": return () => this.askComment();
      case "w": return () => this.toggleWhy();
      case "?": return () => this.keysDialog.showModal();
      default: return null;
    }
  }

  /** @param {Said} said @param {boolean} [unsure] */
  answer(said, unsure = false) {
    this.queue.answer({ ...said, unsure, flag: this.flag, comment: this.comment });
  }

  undo() {
    const [last] = this.queue.given;
    if (last) void this.queue.undo(last);
    else notify(t("nothing-to-undo"));
  }

  /** Shows why the question was asked, topic by topic, then hides it. */
  toggleWhy() {
    this.why = (this.why + 1) % ((this.drawn?.topics?.length ?? 1) + 1);
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
        this.why = 0;
        this.flag = this.fold.open = false;
        this.comment = "";
        this.choices.show(this.drawn);
        if (this.drawn) say(summary(this.drawn));
      }
      this.drawCard();
    }
    this.drawState();
    this.drawHeld();
  }

  drawCard() {
    const question = this.drawn;
    for (const button of this.more.querySelectorAll("button.skip, button.unsure, button.flag, button.whybutton")) {
      /** @type {HTMLButtonElement} */ (button).disabled = !question;
    }
    this.flagButton.setAttribute("aria-pressed", String(this.flag));
    this.whyButton.setAttribute("aria-expanded", String(this.why > 0));
    this.reason.hidden = !this.why || !question;
    if (question) this.card.dataset.id = String(question.id);
    else delete this.card.dataset.id;
    if (!question) {
      const nothing = this.queue.nothing;
      const budget = String(this.project.settings?.budget ?? "");
      // A budget per day or hour, as 100/day, goes on in its next period.
      const comesAgain = nothing?.reason === "budget-spent" && budget.includes("/");
      const text = !nothing ? t(this.queue.online ? "loading" : "no-network")
        : comesAgain ? t("nothing-now", { budget }) : t(`nothing-${nothing.reason}`);
      if (this.card.dataset.shown === text) return;
      this.card.dataset.shown = text;
      put(this.card, h("h2", {}, text), nothing?.reason === "refused" && h("p", { dir: "auto" }, nothing.detail),
        nothing && h("p", {}, h("a", { href: `#/p/${this.project.id}` }, t("to-dashboard"))));
      if (nothing) say(text);
      return;
    }
    delete this.card.dataset.shown;
    const about = question.topics?.[this.why - 1] ?? question;
    put(this.card, this.flag && h("p", { class: "flagged", dir: "auto" }, `${t("flagged")} ${this.comment}`),
      instance(question, (this.why && about.words) || [], this.fold));
    if (this.why) this.drawWhy(about);
  }

  /** @param {Question | Topic} about */
  drawWhy({ why, prediction = "", margin = 0, words = [], ...about }) {
    const label = typeof prediction === "boolean" ? t(prediction ? "yes" : "no") : prediction;
    put(this.reason, h("h2", { dir: "auto" }, "topic" in about ? t("why-topic", { topic: about.topic }) : t("why-asked")),
      h("p", { dir: "auto" }, t("predicted", { label, margin: number(margin, 3) })),
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
        h("b", { dir: "auto" }, saidText(given)), " ",
        h("span", { dir: "auto" }, given.text)))));
  }
}

/** @param {Given} given */
function saidText({ label, labels, unsure }) {
  if (labels) return labels.join(", ") || t("none");
  return label ?? t(unsure ? "unsure" : "skipped");
}

/** @param {HTMLElement} place @param {Me} me @param {string} id */
export async function labelPage(place, me, id) {
  const project = /** @type {Project} */ (await call("GET", within(id)));
  const page = new LabelPage(place, me.name, project);
  return { title: `${t("label")} · ${project.name}`, stop: () => page.stop() };
}
