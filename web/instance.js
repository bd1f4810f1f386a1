// Shows an instance: its title, image, text, and the row of a table that it came from.

import { h, put } from "./dom.js";
import { number, t } from "./texts.js";
/** @import { Question } from "./api.js" */

const LONG = 1400; // characters of a text that is folded
const PASSAGE = 700;
const BEGINNING = 300;
const MARKED = 12; // heaviest words that are marked

/** The address if it is one of the web, or of an image in the address itself; else null. @param {string} address */
function safe(address) {
  try {
    const { href } = new URL(address, location.href);
    return /^(https?:|data:image\/)/.test(href) ? href : null;
  } catch {
    return null;
  }
}

/** Where the words with weights occur in a text. @param {string} text @param {[string, number][]} words
 * @returns {{start: number, end: number, weight: number}[]} in the order of the text, without overlaps */
function occurrences(text, words) {
  const weights = new Map(words.slice(0, MARKED).map(([word, weight]) => [word.toLowerCase(), weight]));
  weights.delete("");
  if (weights.size === 0) return [];
  const quoted = [...weights.keys()].sort((a, b) => b.length - a.length)
    // A longer word may be the stem of a word in the text.
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+")
      + (word.length < 4 ? "(?![\\p{L}\\p{N}])" : ""));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${quoted.join("|")})`, "giu");
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index, end: match.index + match[0].length,
    weight: weights.get(match[0].toLowerCase().replace(/\s+/g, " ")) ?? 0,
  }));
}

/** The part of a long text with the heaviest words. @param {number} length of the text
 * @param {ReturnType<typeof occurrences>} found @returns {{start: number, end: number}} */
function heaviest(length, found) {
  let best = { start: 0, weight: 0 };
  let weight = 0;
  let first = 0;
  for (const one of found) {
    weight += Math.abs(one.weight);
    while (found[first].start < one.end - PASSAGE) weight -= Math.abs(found[first++].weight);
    if (weight > best.weight) best = { start: found[first].start, weight };
  }
  const start = Math.max(0, Math.min(best.start - 100, length - PASSAGE));
  return { start, end: start + PASSAGE };
}

/** A text from `start` to `end`, its heaviest words marked. @param {string} text @param {number} start @param {number} end
 * @param {ReturnType<typeof occurrences>} marks */
function piece(text, start, end, marks) {
  const parts = /** @type {(string | Node)[]} */ ([]);
  let at = start;
  for (const mark of marks.filter((one) => one.start >= start && one.end <= end)) {
    if (mark.start < at) continue;
    parts.push(text.slice(at, mark.start));
    parts.push(h("mark", { class: mark.weight < 0 ? "against" : "for" }, text.slice(mark.start, mark.end)));
    at = mark.end;
  }
  parts.push(text.slice(at, end));
  return h("p", { class: "text", dir: "auto" }, parts);
}

/** @param {string} text @param {number} at moves a cut to the nearest blank before it, so that no letter is split */
function cut(text, at) {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  const blank = text.lastIndexOf(" ", at);
  if (blank > at - 40) return blank + 1;
  return /[\udc00-\udfff]/.test(text[at]) ? at - 1 : at;
}

/** @param {string} text @param {[string, number][]} words the heaviest ones: a long text shows where they are
 * @param {[string, number][]} marked @param {{open: boolean}} fold @returns {HTMLElement} */
function textOf(text, words, marked, fold) {
  const marks = occurrences(text, marked);
  if (text.length <= LONG) return piece(text, 0, text.length, marks);
  const found = occurrences(text, words);
  const box = h("div");
  const draw = () => {
    const passage = heaviest(text.length, found);
    const begin = cut(text, BEGINNING);
    const start = Math.max(cut(text, passage.start), begin);
    const end = cut(text, Math.max(passage.end, begin));
    const gap = (/** @type {number} */ size) => size > 0 && h("p", { class: "gap" }, t("characters-hidden", { n: number(size) }));
    const toggle = h("button", { type: "button", class: "small fold", "aria-expanded": fold.open, onclick: () => {
      fold.open = !fold.open;
      draw();
      box.querySelector("button")?.focus();
    } }, fold.open ? t("fold") : t("unfold"));
    if (fold.open) put(box, piece(text, 0, text.length, marks), toggle);
    else {
      const parts = start > begin ? [piece(text, 0, begin, marks), gap(start - begin), piece(text, start, end, marks)]
        : [piece(text, 0, end, marks)];
      put(box, parts, gap(text.length - end), toggle);
    }
  };
  draw();
  return box;
}

/** @param {unknown} value */
export function plain(value) {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
}

/** @param {string} text @param {number} [most] characters */
export function shorten(text, most = 120) {
  return text.length > most ? `${text.slice(0, cut(text, most - 1))}…` : text;
}

/** The first words of a question, for lists. @param {Question} question */
export function summary({ text, title, fields, id }) {
  return shorten(title || text || Object.values(fields ?? {}).map(plain).join(" · ") || String(id));
}

/** All that a person needs to see of an instance. @param {Question} question @param {[string, number][]} marked words
 * @param {{open: boolean}} fold whether a long text is unfolded @returns {HTMLElement[]} */
export function instance(question, marked, fold) {
  const { id, title, text, image, url, fields = {} } = question;
  const words = [question, ...(question.topics ?? [])].flatMap((one) => one.words ?? [])
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const parts = /** @type {HTMLElement[]} */ ([]);
  if (title) parts.push(h("h2", { dir: "auto" }, title));
  const source = image ? safe(image) : null;
  if (source) {
    const picture = h("img", { src: source, alt: t("image-of", { id }), referrerpolicy: "no-referrer", onload: () => {
      picture.classList.toggle("tiny", picture.naturalWidth > 0 && picture.naturalWidth < 120);
    } });
    parts.push(picture);
  }
  if (text) parts.push(textOf(text, words, marked, fold));
  const rows = Object.entries(fields);
  if (rows.length > 0) {
    parts.push(h("table", { class: "row" }, h("caption", { class: "unseen" }, t("row")), h("tbody", {},
      rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row", dir: "auto" }, name),
        h("td", { dir: "auto" }, plain(value)))))));
  }
  const address = url ? safe(url) : null;
  if (url) {
    parts.push(h("p", {}, address
      ? h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, url) : h("span", { dir: "auto" }, url)));
  }
  if (parts.length === 0) parts.push(h("p", { class: "text", dir: "auto" }, t("only-numbers", { id })));
  return parts;
}
