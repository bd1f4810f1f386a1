// Parts of the labelling page: the list of keys, the comment of a flag, swipes.

import { h } from "./dom.js";
import { t } from "./texts.js";

const SWIPE = 80; // pixels
const SINGLE_KEYS = "askfew-single-keys"; // "off": only Tab and Enter answer

/** Whether single keys answer questions: people who speak to their computer switch them off. */
export function singleKeys() {
  return localStorage.getItem(SINGLE_KEYS) !== "off";
}

/** All keys. @param {[string, string[]][]} labels with their keys @param {boolean} swipes can answer */
export function keysDialog(labels, swipes) {
  const single = h("input", { type: "checkbox", checked: singleKeys(), onchange: () => {
    localStorage.setItem(SINGLE_KEYS, single.checked ? "on" : "off");
  } });
  /** @type {[string, string[]][]} */
  const rows = [...labels, [t("skip-long"), [t("space")]], [t("unsure-long"), ["u"]], [t("undo-long"), ["⌫"]],
    [t("flag-long"), ["f"]], [t("why-long"), ["w"]], [t("keys"), ["?"]]];
  const dialog = h("dialog", { "aria-label": t("keys") },
    h("h2", {}, t("keys")),
    h("table", {}, h("caption", { class: "unseen" }, t("keys")), h("tbody", {}, rows.map(([what, keys]) =>
      h("tr", {}, h("th", { scope: "row" }, keys.flatMap((key) => [h("kbd", {}, key), " "])), h("td", { dir: "auto" }, what))))),
    swipes && h("p", { class: "hint" }, t("swipes")),
    h("label", { class: "check" }, single, " ", t("single-keys")),
    h("button", { type: "button", onclick: () => dialog.close() }, t("close")));
  return dialog;
}

/** @param {(flag: boolean, comment: string) => void} done */
export function commentDialog(done) {
  const text = h("textarea", { rows: 3, dir: "auto", "aria-label": t("comment") });
  const end = (/** @type {boolean} */ flag) => {
    const comment = flag ? text.value.trim() : "";
    dialog.close();
    done(flag, comment);
  };
  const dialog = h("dialog", { "aria-label": t("flag-long"), onclose: () => { text.value = ""; } },
    h("h2", {}, t("flag-title")), h("p", { class: "hint" }, t("flag-hint")), text,
    h("div", { class: "more" },
      h("button", { type: "button", class: "main", onclick: () => end(true) }, t("flag-save")),
      h("button", { type: "button", onclick: () => end(false) }, t("flag-remove"))));
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    end(true);
  });
  return dialog;
}

/** A swipe to the right chooses the first label, one to the left the second. @param {HTMLElement} card
 * @param {(index: number) => void} choose */
export function watchSwipes(card, choose) {
  let start = /** @type {{x: number, y: number} | null} */ (null);
  const show = (/** @type {number} */ x) => {
    card.classList.toggle("to-yes", x > SWIPE);
    card.classList.toggle("to-no", x < -SWIPE);
  };
  const end = () => {
    start = null;
    show(0);
  };
  card.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" && event.isPrimary) start = { x: event.clientX, y: event.clientY };
  });
  card.addEventListener("pointermove", (event) => show(start ? event.clientX - start.x : 0));
  card.addEventListener("pointercancel", end);
  card.addEventListener("pointerup", (event) => {
    if (!start) return;
    const x = event.clientX - start.x;
    const level = Math.abs(event.clientY - start.y) < Math.abs(x);
    end();
    if (Math.abs(x) > SWIPE && level) choose(x > 0 ? 0 : 1);
  });
}
