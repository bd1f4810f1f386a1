// Who is here, and which page the address names: #/, #/new, #/p/PROJECT, #/p/PROJECT/label, #token=TOKEN.

import { Refused, call, logIn, me, onSignedOut } from "./api.js";
import { dashboardPage } from "./dashboard.js";
import { attempt, byId, field, h, notify, put } from "./dom.js";
import { labelPage } from "./label.js";
import { newPage } from "./new.js";
import { languages, language, number, setLanguage, t } from "./texts.js";
/** @import { Me, Project } from "./api.js" */

/** @typedef {{title: string, stop: () => void}} Page */

let user = /** @type {Me | null} */ (null);
let page = /** @type {Page | null} */ (null);
let visits = 0;

/** @param {string} [why] */
function loginPage(why) {
  const token = h("input", { type: "password", required: true, autocomplete: "current-password" });
  put(byId("main"), h("h1", {}, t("log-in")), h("form", { class: "narrow", onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    await enter(token.value.trim());
  } }, field(t("token"), token, t("token-hint")), why && h("p", { class: "bad", role: "alert" }, why),
  h("button", { class: "main" }, t("log-in"))));
  token.focus();
  return { title: t("log-in"), stop: () => {} };
}

/** @param {string} token */
async function enter(token) {
  try {
    user = await logIn(token);
    await route();
  } catch (error) {
    page = loginPage(/** @type {Error} */ (error).message);
  }
}

/** @param {HTMLElement} place */
async function projectsPage(place) {
  const { projects } = await call("GET", "projects");
  const mayMake = user?.role === "admin" || user?.role === "engineer";
  const shown = /** @type {Project[]} */ ([...projects].sort((a, b) => Number(a.archived) - Number(b.archived)));
  put(place, h("h1", {}, t("projects")),
    shown.length === 0 && h("p", {}, t(mayMake ? "no-projects-make" : "no-projects")),
    h("ul", { class: "projects" }, shown.map((one) => h("li", {},
      h("div", {}, h("a", { href: `#/p/${one.id}`, dir: "auto" }, one.name), one.archived && ` (${t("archived")})`,
        h("div", { dir: "auto" }, one.question),
        h("div", { class: "hint" }, one.unavailable ? t("unavailable")
          : t("project-counts", { waiting: number(one.waiting), answered: number(one.answered) }))),
      user?.role !== "reader" && !one.archived
        && h("a", { class: "button", href: `#/p/${one.id}/label`, "aria-label": t("label-project", { name: one.name }) }, t("label"))))),
    mayMake && h("p", { class: "more" }, h("a", { class: "button main", href: "#/new" }, t("new-project"))));
  return { title: t("projects"), stop: () => {} };
}

/** @param {HTMLElement} main @param {Me} user @returns {Page | Promise<Page>} */
function pageOf(main, user) {
  const [, first, id, part] = location.hash.split("/").map(decodeURIComponent);
  if (first === "new") return newPage(main);
  if (first === "p" && id && part === "label") return labelPage(main, user, id);
  if (first === "p" && id) return dashboardPage(main, user, id);
  return projectsPage(main);
}

function drawHeader() {
  const choice = h("select", { "aria-label": t("language"), onchange: () => {
    setLanguage(choice.value);
    void route();
  } }, Object.entries(languages).map(([code, name]) => h("option", { value: code, selected: code === language(), lang: code }, name)));
  put(byId("header"), h("a", { href: "#/", class: "brand" }, "askfew"),
    user && h("nav", { "aria-label": t("pages") }, h("a", { href: "#/" }, t("projects"))),
    h("span", { class: "grow" }), user && h("span", { class: "who", dir: "auto" }, user.name), choice,
    user && h("button", { type: "button", class: "small", onclick: () => attempt(logOut) }, t("log-out")));
}

async function logOut() {
  await call("POST", "logout");
  leave();
}

/** Nobody is logged in any more. */
function leave() {
  page?.stop();
  user = null;
  drawHeader();
  page = loginPage();
}

/** Shows the page that the address names. */
async function route() {
  page?.stop();
  page = null;
  document.documentElement.lang = language();
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token) {
    // The token leaves the address and the browser's history.
    history.replaceState(null, "", "#/");
    return enter(decodeURIComponent(token));
  }
  drawHeader();
  if (!user) return leave();
  const visit = ++visits;
  const place = h("div");
  /** @type {Page} */
  let shown;
  try {
    shown = await pageOf(place, user);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return;
    put(place, h("h1", {}, t("failed")), h("p", { dir: "auto" }, /** @type {Error} */ (error).message),
      h("p", {}, h("a", { href: "#/" }, t("projects"))));
    shown = { title: t("failed"), stop: () => {} };
  }
  // Another page was chosen while this one was loading.
  if (visit !== visits) return shown.stop();
  page = shown;
  put(byId("main"), place);
  document.title = `${page.title} · askfew`;
  if (!byId("main").contains(document.activeElement)) byId("main").focus({ preventScroll: true });
}

onSignedOut(leave);
addEventListener("hashchange", () => void route());
if (!location.hash.startsWith("#token=")) {
  try {
    user = await me();
  } catch (error) {
    if (!(error instanceof Refused)) notify(t("no-network"));
  }
}
void route();
