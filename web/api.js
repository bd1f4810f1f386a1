// The server's API. Types of what it answers, and one function that calls it.

/** @typedef {{name: string, role: "admin" | "engineer" | "annotator" | "reader", projects: string[] | null, csrf: string}} Me */
/** @typedef {{id: string, name: string, question: string, kind: string, labels: string[], archived: boolean,
 *    rounds: number, asked: number, answered: number, waiting: number, unavailable?: boolean, settings?: Record<string, unknown>}} Project */
/** @typedef {{id: string | number, text?: string, title?: string, image?: string, url?: string, fields?: Record<string, unknown>,
 *    why?: string, prediction?: string | boolean, margin?: number, words?: [string, number][], topics?: Topic[], chosen?: string[]}} Question
 *    `topics` in question, each with what a question of one label has itself; `chosen`: topics that the person said before */
/** @typedef {{topic: string, why?: string, prediction?: boolean, margin?: number, words?: [string, number][]}} Topic */
/** @typedef {{answered_today: number, answered: number, held: number, left_in_budget: number | null,
 *   pending: number}} Progress held: answers of this person that can be taken back */
/** @typedef {{reason: string, detail: string}} Nothing */
/** @typedef {{questions: Question[], nothing: Nothing | null, progress: Progress}} NextQuestions */
/** @typedef {{key: string, id: string | number, label?: string | null, labels?: string[] | null, unsure: boolean, comment: string,
 *    flag: boolean, seconds: number}} Answer */
/** @typedef {{key: string, id: string | number, state: string, detail?: string}} AnswerResult */
/** @typedef {{value: number, low: number, high: number}} Interval */
/** @typedef {{round: number, asked: number, answered: number, error?: Interval | null, f1?: Interval | null,
 *    topics?: Record<string, {error: Interval, f1: Interval}>}} Point */
/** @typedef {{kind: string, round: number, since: number}} Change */
/** @typedef {{labels: number, gain: number, low: number, high: number}} NextLabels */
/** @typedef {{whole?: Record<string, any>, recent?: Record<string, any>, changes?: Change[],
 *    next_labels?: NextLabels | null}} Estimate */
/** @typedef {{name: string, answers: number, unsure: number, skipped: number, seconds_median: number | null,
 *    agreement: number | null}} Annotator */
/** @typedef {{questions: number, disputed: number, kappa: Interval | null}} Agreement of people who answered the same questions */
/** @typedef {{answers: {by: string, label: string | number | null}[]}} Votes where there are two labels, 1 is the first and -1 the second */
/** @typedef {{id: string | number, instance: Question, answers: Votes["answers"], topics?: Record<string, Votes>}} Disagreement */
/** @typedef {{asked: number, pending: number, labels: Record<string, number>, estimate?: Estimate, agreement?: Agreement}} TopicReport */
/** @typedef {{rounds: number, asked: number, answered: number, held: number, pending: number, estimate: Estimate | null,
 *    plan: {budget: string, horizon: number, asked: number, left: number | null, planned: number | null,
 *      curve: {round: number, labels: number}[]} | null,
 *    annotators: Annotator[], agreement: Agreement | null, topics?: Record<string, TopicReport>}} Report */

/** The server refused; `message` says why. */
export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

let csrf = "";
let name = ""; // who is logged in on this page
let signedOut = () => {};

/** @param {() => void} listener called when the server no longer knows who we are */
export function onSignedOut(listener) {
  signedOut = listener;
}

/** Calls the API. Throws Refused where the server refuses, and TypeError where the server cannot be reached. @param {string} method
 * @param {string} path below /api/v1/ @param {unknown} [body] becomes JSON @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function call(method, path, body, signal) {
  try {
    return await send(method, path, body, signal);
  } catch (error) {
    if (!(error instanceof Refused) || path === "login") throw error;
    // After a new login in another tab the CSRF token of this page is old. Nothing is sent as another person's.
    const before = { csrf, name };
    const same = error.status === 403 && method !== "GET" && (await me()).name === before.name;
    if (same && csrf !== before.csrf) return send(method, path, body, signal);
    if (error.status === 401 || name !== before.name) {
      signedOut();
      throw new Refused(401, error.message);
    }
    throw error;
  }
}

/** @param {string} method @param {string} path @param {unknown} body @param {AbortSignal} [signal] */
async function request(method, path, body, signal) {
  const headers = /** @type {Record<string, string>} */ (method === "GET" ? {} : { "X-CSRF-Token": csrf });
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(`/api/v1/${path}`, { method, headers, signal, body: text });
  if (response.ok) return response;
  throw new Refused(response.status, problem(await response.text()) || `${response.status} ${response.statusText}`);
}

/** @param {string} method @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] */
async function send(method, path, body, signal) {
  const text = await (await request(method, path, body, signal)).text();
  return text === "" ? null : JSON.parse(text);
}

/** @param {string} path below /api/v1/ @returns {Promise<Blob>} a file */
export async function download(path) {
  return (await request("GET", path, undefined)).blob();
}

/** @param {string} text of a problem document */
function problem(text) {
  try {
    const document = JSON.parse(text);
    return document.detail || document.title || "";
  } catch {
    return "";
  }
}

/** The path of a project's part. @param {string} project @param {string} [rest] */
export function within(project, rest = "") {
  return `projects/${encodeURIComponent(project)}${rest}`;
}

/** @param {string} token @returns {Promise<Me>} */
export async function logIn(token) {
  await call("POST", "login", { token });
  return me();
}

/** @returns {Promise<Me>} */
export async function me() {
  const answer = await send("GET", "me");
  ({ csrf, name } = answer);
  return answer;
}
