// What a person can answer: one button per label, or a chip for each topic in question. Each has keys.

import { h, put, say } from "./dom.js";
import { t } from "./texts.js";
/** @import { Project, Question } from "./api.js" */

/** @typedef {{label?: string | null, labels?: string[] | null}} Said a label, or the topics that a document has; null: none given */
/** @typedef {object} Choices @property {HTMLElement} box @property {[string, string[]][]} keys what each key does @property
 *   {(question: Question | null) => void} show @property {(pressed: string) => (() => void) | null} actionOf a key */
/** @typedef {(action: () => void) => (event: MouseEvent) => void} Click makes the listener of a button */

/** @param {string} key */
export function keyCap(key) {
  return h("kbd", { "aria-hidden": "true" }, key);
}

/** @param {number} index of a choice @returns {string[]} its digit, if there is one */
function digit(index) {
  return index < 10 ? [String((index + 1) % 10)] : [];
}

/** A letter of its own for each label: the first of its name that is free; none if all are taken. @param {string[]} labels
 * @param {string} reserved @returns {string[][]} */
function letters(labels, reserved) {
  const taken = new Set(reserved);
  return labels.map((label) => {
    const letter = Array.from(label.toLowerCase()).find((one) => /\p{L}/u.test(one) && !taken.has(one));
    if (letter) taken.add(letter);
    return letter ? [letter] : [];
  });
}

/** @param {Project} project of the kind yes-no or classes @param {(said: Said) => void} answer @param {Click} click @returns {Choices} */
export function labelChoices({ kind, labels }, answer, click) {
  const yesNo = kind === "yes-no";
  const own = letters(labels, yesNo ? "axufw" : "ufw");
  const keys = labels.map((_, index) => [...(yesNo ? "ax".slice(index, index + 1) : ""), ...digit(index), ...own[index]]);
  const names = labels.map((label, index) => {
    if (!yesNo) return label;
    const word = t(index === 0 ? "yes" : "no");
    return label.toLowerCase() === word.toLowerCase() ? word : `${word}: ${label}`;
  });
  const buttons = names.map((name, index) => h("button", {
    type: "button", class: yesNo ? ["yes", "no"][Math.min(index, 1)] : "choice", disabled: true,
    onclick: click(() => answer({ label: labels[index] })),
  }, h("span", { dir: "auto" }, name), " ", keys[index].slice(0, yesNo ? 1 : 2).map(keyCap)));
  return {
    box: h("div", { class: yesNo ? "choices two" : "choices", role: "group", "aria-label": t("choices") }, buttons),
    keys: names.map((name, index) => [name, keys[index]]),
    show: (question) => buttons.forEach((button) => { button.disabled = !question; }),
    actionOf: (pressed) => {
      const index = keys.findIndex((one) => one.includes(pressed));
      return index < 0 ? null : () => answer({ label: labels[index] });
    },
  };
}

/** @param {Project} project of the kind topics @param {(said: Said) => void} answer @param {Click} click @returns {Choices} */
export function topicChoices({ labels }, answer, click) {
  const own = new Map(letters(labels, "ufwx").map((letter, index) => [labels[index], letter]));
  /** @type {{topic: string, keys: string[], chip: HTMLButtonElement}[]} the topics in question */
  let open = [];
  const chosen = /** @type {Set<string>} */ (new Set());
  const button = (/** @type {string} */ name, /** @type {string} */ text, /** @type {string} */ key) => h("button", {
    type: "button", class: name, onclick: click(() => submit()) }, text, " ", keyCap(key));
  const none = button("none", t("none-of-them"), "x");
  const done = button("main", t("submit"), "⏎");
  const chips = h("div", { class: "chips" });
  const hint = h("p", { class: "hint" });
  const submit = () => answer({ labels: open.map(({ topic }) => topic).filter((topic) => chosen.has(topic)) });
  const draw = () => {
    for (const { topic, chip } of open) chip.setAttribute("aria-pressed", String(chosen.has(topic)));
    // One of the two is right: nobody submits "none" by mistake, or chips that were forgotten.
    none.disabled = open.length === 0 || chosen.size > 0;
    done.disabled = chosen.size === 0;
  };
  const toggle = (/** @type {string} */ topic) => {
    if (!chosen.delete(topic)) chosen.add(topic);
    draw();
  };
  draw();
  return {
    box: h("div", { class: "choices topics", role: "group", "aria-label": t("choices") }, hint, chips,
      h("div", { class: "submit" }, none, done)),
    keys: [[t("topic-digits"), ["1", "…", "0"]], ...labels.flatMap((topic) => (own.get(topic)?.length
      ? [/** @type {[string, string[]]} */ ([topic, own.get(topic)])] : [])), [t("none-of-them"), ["x"]], [t("submit"), ["⏎"]]],
    show: (question) => {
      const hadFocus = chips.parentElement?.contains(document.activeElement);
      chosen.clear();
      for (const topic of question?.chosen ?? []) chosen.add(topic);
      open = (question?.topics ?? []).map(({ topic }, index) => {
        const keys = [...digit(index), ...(own.get(topic) ?? [])];
        const chip = h("button", { type: "button", class: "chip", onclick: click(() => toggle(topic)) },
          h("span", { dir: "auto" }, topic), " ", keys.map(keyCap));
        return { topic, keys, chip };
      });
      put(chips, open.map(({ chip }) => chip));
      put(hint, open.length > 0 && open.length < labels.length && t("topics-open", { n: open.length, all: labels.length }));
      draw();
      if (hadFocus) open[0]?.chip.focus({ preventScroll: true });
    },
    actionOf: (pressed) => {
      const one = open.find(({ keys }) => keys.includes(pressed));
      if (one) {
        return () => {
          toggle(one.topic);
          say(`${one.topic}: ${t(chosen.has(one.topic) ? "yes" : "no")}`);
        };
      }
      const wanted = { x: none, enter: done }[pressed];
      return wanted && !wanted.disabled ? submit : null;
    },
  };
}
