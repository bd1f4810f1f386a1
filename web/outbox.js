// Answers on their way to the server, in order. They are kept in the browser until the server has confirmed them, so that
// neither a lost network nor a closed page loses an answer. Every answer has a key: sending it twice is harmless.

import { Refused, call, within } from "./api.js";
/** @import { Answer, AnswerResult } from "./api.js" */

/** @typedef {{place: string, answer?: Answer, undo?: string, sent: boolean}} Entry an answer, or the key of one to undo */

const BATCH = 50;
const TIMEOUT = 15000;

/** @returns {string} 128 random bits; crypto.randomUUID exists only on https and localhost */
export function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Outbox {
  /** @param {string} user answers of one person are never sent as another person's @param {string} project
   * @param {{changed: () => void, arrived: (results: AnswerResult[], held: number) => void, refused: (id: string | number, why: string) => void,
   *   undoRefused: (why: string) => void}} listener */
  constructor(user, project, listener) {
    this.project = project;
    this.listener = listener;
    this.prefix = `askfew/${encodeURIComponent(user)}/${encodeURIComponent(project)}/`;
    this.last = 0;
    /** The server could be reached at the last attempt. */
    this.online = true;
    /** The browser refuses to keep data. */
    this.forgets = false;
    /** The attempt to send that is under way. @type {Promise<void> | null} */
    this.attempt = null;
    this.stopped = false;
    /** @type {Set<() => void>} end the pauses before the next attempts */
    this.pauses = new Set();
    this.retry = () => this.pauses.forEach((end) => end());
    addEventListener("online", this.retry);
    this.entries = this.load();
  }

  /** Stops sending; what was not confirmed stays in the browser and is sent the next time. */
  stop() {
    this.stopped = true;
    removeEventListener("online", this.retry);
    this.retry();
  }

  /** @returns {Entry[]} what an earlier visit left; it may have been sent already */
  load() {
    const entries = /** @type {Entry[]} */ ([]);
    this.store(() => {
      for (const place of Object.keys(localStorage).filter((name) => name.startsWith(this.prefix)).sort()) {
        entries.push({ ...JSON.parse(localStorage.getItem(place) ?? "{}"), place, sent: true });
      }
    });
    return entries;
  }

  /** @param {() => void} action on the browser's storage, which may refuse it */
  store(action) {
    try {
      action();
    } catch {
      this.forgets = true;
    }
  }

  /** @param {{answer?: Answer, undo?: string}} content */
  keep(content) {
    // Names sort in the order of time; the random end keeps two open pages apart.
    this.last = Math.max(this.last + 1, Date.now() * 1000);
    const place = `${this.prefix}${this.last}-${randomKey().slice(0, 8)}`;
    this.store(() => localStorage.setItem(place, JSON.stringify(content)));
    this.entries.push({ ...content, place, sent: false });
    void this.send();
  }

  /** @param {Entry} entry */
  drop(entry) {
    this.entries = this.entries.filter((other) => other !== entry);
    this.store(() => localStorage.removeItem(entry.place));
  }

  /** Takes an answer back: from the box if it was never sent, else by the server, in its turn. @param {string} key */
  undo(key) {
    const entry = this.entries.find(({ answer }) => answer?.key === key);
    if (entry && !entry.sent) this.drop(entry);
    else this.keep({ undo: key });
  }

  /** @returns {Set<string | number>} ids whose answers are on their way */
  ids() {
    return new Set(this.entries.flatMap(({ answer }) => (answer ? [answer.id] : [])));
  }

  get sending() {
    return this.attempt !== null;
  }

  /** Sends everything in order, and tries again until it has arrived. */
  async send() {
    if (this.entries.length === 0 || this.stopped) return;
    this.attempt ??= this.sendAll();
    await this.attempt;
  }

  async sendAll() {
    let pause = 250;
    let batch = BATCH;
    while (this.entries.length > 0 && !this.stopped) {
      try {
        await this.sendFirst(batch);
        this.online = true;
        pause = 250;
        batch = BATCH;
      } catch (error) {
        const status = error instanceof Refused ? error.status : 0;
        if (status === 401) break;
        if (status === 403) {
          // Kept: the person may be allowed to answer again later.
          this.listener.refused(this.entries[0].answer?.id ?? "", /** @type {Error} */ (error).message);
          break;
        }
        if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
          // One of the batch is wrong: send them one by one, and say which.
          if (batch > 1) batch = 1;
          else this.giveUp(/** @type {Error} */ (error).message);
        } else {
          this.online = status > 0;
          this.listener.changed();
          await this.sleep(pause);
          pause = Math.min(2 * pause, 4000);
        }
      }
      this.listener.changed();
    }
    this.attempt = null;
  }

  /** @param {number} batch the largest number of answers in a request */
  async sendFirst(batch) {
    const signal = AbortSignal.timeout(TIMEOUT);
    const first = this.entries[0];
    const again = first.sent;
    first.sent = true;
    if (first.undo !== undefined) {
      try {
        await call("DELETE", within(this.project, `/answers/${encodeURIComponent(first.undo)}`), undefined, signal);
      } catch (error) {
        // The first attempt may have arrived although its confirmation did not.
        if (!(again && error instanceof Refused && error.status === 404)) throw error;
      }
      this.drop(first);
      return;
    }
    const end = this.entries.findIndex(({ undo }) => undo !== undefined);
    const entries = this.entries.slice(0, Math.min(batch, end < 0 ? this.entries.length : end));
    for (const entry of entries) entry.sent = true;
    const { results, progress } = await call("POST", within(this.project, "/answers"),
      { answers: entries.map(({ answer }) => answer) }, signal);
    for (const entry of entries) this.drop(entry);
    const accepted = /** @type {AnswerResult[]} */ ([]);
    for (const result of /** @type {AnswerResult[]} */ (results)) {
      if (result.state === "error") this.listener.refused(result.id, result.detail ?? "");
      else accepted.push(result);
    }
    this.listener.arrived(accepted, progress.held);
  }

  /** @param {string} why the server does not want the first entry */
  giveUp(why) {
    const [first] = this.entries;
    this.drop(first);
    if (first.answer) this.listener.refused(first.answer.id, why);
    else this.listener.undoRefused(why);
  }

  /** Ends early when the browser notices a network. @param {number} milliseconds */
  sleep(milliseconds) {
    return new Promise((resolve) => {
      const end = () => {
        this.pauses.delete(end);
        resolve(undefined);
      };
      this.pauses.add(end);
      setTimeout(end, milliseconds);
    });
  }
}
