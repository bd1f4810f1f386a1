// Makes elements. Strings become text nodes, never markup: nothing that a person or an instance says can be a script.

/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/** @param {Element} element @param {Record<string, unknown>} properties @param {(Child | Child[])[]} children */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  append(element, children);
}

/** @param {Element} element @param {(Child | Child[])[]} children */
function append(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** An HTML element: h("button", {class: "small", onclick: f}, "Save"). @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag
 * @param {Record<string, unknown>} [properties] attributes, and listeners by names such as onclick
 * @param {...(Child | Child[])} children @returns {HTMLElementTagNameMap[Tag]} */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, properties, children);
  return element;
}

/** An SVG element. @param {string} tag @param {Record<string, unknown>} [properties] @param {...(Child | Child[])} children
 * @returns {SVGElement} */
export function s(tag, properties = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  fill(element, properties, children);
  return element;
}

/** Replaces all children. @param {Element} element @param {...(Child | Child[])} children */
export function put(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** The element with this id, which index.html has. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hide;

/** Shows a sentence at the edge of the page for some seconds. @param {string} text */
export function notify(text) {
  clearTimeout(hide);
  put(byId("notice"), text);
  hide = setTimeout(() => put(byId("notice")), 8000);
}

/** Runs an action of a button; what goes wrong is shown. @param {() => Promise<unknown>} action */
export async function attempt(action) {
  try {
    await action();
  } catch (error) {
    notify(/** @type {Error} */ (error).message);
  }
}

/** Tells a screen reader what has happened. @param {string} text */
export function say(text) {
  put(byId("said"), text);
}

/** A table with a caption; a wide one scrolls in its box. @param {string} caption @param {string[]} heads @param {Child[][]} rows */
export function table(caption, heads, rows) {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {},
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", { dir: "auto" }, cell)))))));
}

let ids = 0;

/** A field of a form with its label and, below, a hint. @param {string} label @param {HTMLElement} control @param {Child} [hint] */
export function field(label, control, hint) {
  control.id ||= `field-${++ids}`;
  if (!hint) return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
  const below = h("p", { class: "hint", id: `${control.id}-hint` }, hint);
  control.setAttribute("aria-describedby", below.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, below);
}
