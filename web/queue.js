// The questions of one person in one project: the current question, the questions fetched ahead, and the last answers,
// which can still be changed.

import { Refused, call, within } from "./api.js";
import { summary } from "./instance.js";
import { Outbox, randomKey } from "./outbox.js";
/** @import { AnswerResult, NextQuestions, Nothing, Progress, Question } from "./api.js" */
/** @import { Said } from "./choices.js" */

/** @typedef {Said & {key: string, id: string | number, text: string, unsure: boolean, question: Question | null,
 *    state: string}} Given an answer that may still be changed */

const MOST_GIVEN = 10;
const FEWEST_AHEAD = 5;
const MOST_AHEAD = 200;
const SECONDS_AHEAD = 10;
const ANSWERS_PER_DECISION_AHEAD = 40;
const PATIENCE = 1000; // milliseconds that the next question waits for the answer before it to arrive
const MOST_REQUESTED = 500;
const STALE = 240000; // milliseconds after which the server is asked again which questions are ours; a lease is longer

/** The topics of an answer that the server holds; null: all are declined. @param {Record<string, boolean | null>} [labels] */
function topicsOf(labels = {}) {
  const said = Object.entries(labels).filter(([, has]) => has !== null);
  return said.length === 0 ? null : said.filter(([, has]) => has).map(([topic]) => topic);
}

export class Queue {
  /** @param {string} user @param {string} project
   * @param {{changed: () => void, told: (kind: "answer-refused" | "undo-refused", id: string | number, why: string) => void}} listener */
  constructor(user, project, listener) {
    this.project = project;
    this.listener = listener;
    this.current = /** @type {Question | null} */ (null);
    this.ahead = /** @type {Question[]} */ ([]);
    /** @type {Given[]} the newest first */
    this.given = [];
    this.nothing = /** @type {Nothing | null} */ (null);
    this.progress = /** @type {Progress | null} */ (null);
    /** @type {number[]} when the last answers were given, in milliseconds */
    this.times = [];
    this.shownAt = 0;
    this.fetching = false;
    this.fetchedAt = 0;
    /** @type {Set<string | number>} ids whose answers the server may not have had when it chose the questions on their way */
    this.answered = new Set();
    this.reachable = true;
    this.stopper = new AbortController();
    this.outbox = new Outbox(user, project, {
      changed: () => listener.changed(),
      arrived: (results, held) => this.arrived(results, held),
      refused: (id, why) => listener.told("answer-refused", id, why),
      undoRefused: (why) => listener.told("undo-refused", "", why),
    });
  }

  async start() {
    await this.outbox.send();
    if (this.stopper.signal.aborted) return;
    void this.fetchHeld();
    const renew = () => void (document.hidden || this.fetchAhead());
    const timer = setInterval(renew, STALE / 4);
    document.addEventListener("visibilitychange", renew, { signal: this.stopper.signal });
    this.stopper.signal.addEventListener("abort", () => clearInterval(timer));
    await this.fetchAhead();
  }

  stop() {
    this.stopper.abort();
    this.outbox.stop();
  }

  get online() {
    return this.reachable && this.outbox.online;
  }

  /** Answers a minute, over the last twenty; 0 while there are fewer than three. */
  get pace() {
    const { times } = this;
    if (times.length < 3) return 0;
    return (60000 * (times.length - 1)) / Math.max(times[times.length - 1] - times[0], 1);
  }

  /** How many questions to have ready: what the person answers in some seconds. */
  get wanted() {
    return Math.min(Math.max(Math.ceil((this.pace / 60) * SECONDS_AHEAD), FEWEST_AHEAD), MOST_AHEAD);
  }

  /** How many questions may be ready before another row of the pool is decided: a part of the answers so far. A decision
   * does not know the answers to the questions before it that are still open, and the first answers teach most. */
  get enough() {
    return Math.floor((this.progress?.answered ?? 0) / ANSWERS_PER_DECISION_AHEAD);
  }

  /** Answers the current question and shows the next one.
   * @param {Said & {unsure?: boolean, flag?: boolean, comment?: string}} choice */
  answer({ unsure = false, flag = false, comment = "", ...said }) {
    const question = this.current;
    if (!question) return;
    const now = performance.now();
    const seconds = Math.round(now - this.shownAt) / 1000;
    const key = randomKey();
    this.answered.add(question.id);
    this.outbox.keep({ answer: { key, id: question.id, ...said, unsure, comment, flag, seconds } });
    this.given.unshift({ key, id: question.id, text: summary(question), ...said, unsure, question, state: "waiting" });
    this.given.length = Math.min(this.given.length, MOST_GIVEN);
    this.times = [...this.times.slice(-19), now];
    this.count(1);
    this.show(this.ahead.shift() ?? null);
    void this.fetchAhead();
  }

  /** Takes an answer back and asks its question again. @param {Given} given */
  async undo(given) {
    this.given = this.given.filter((other) => other !== given);
    let { question } = given;
    if (question) {
      this.outbox.undo(given.key);
    } else {
      try {
        const path = within(this.project, `/answers/${encodeURIComponent(given.key)}`);
        question = /** @type {Question} */ ((await call("DELETE", path)).question);
      } catch (error) {
        this.listener.told("undo-refused", given.id, /** @type {Error} */ (error).message);
        this.listener.changed();
        return;
      }
    }
    this.count(-1);
    if (this.current) this.ahead.unshift(this.current);
    this.show({ ...question, chosen: given.labels ?? [] });
  }

  /** @param {Question | null} question */
  show(question) {
    this.current = question;
    this.shownAt = performance.now();
    this.listener.changed();
  }

  /** @param {number} answers given, or -1 for one taken back */
  count(answers) {
    if (!this.progress) return;
    this.progress.answered_today += answers;
    this.progress.answered += answers;
    this.progress.pending = Math.max(this.progress.pending - answers, 0);
  }

  /** Answers have arrived; the server can take back the last `held` ones. @param {AnswerResult[]} results
   * @param {number} held */
  arrived(results, held) {
    const states = new Map(results.map(({ key, state }) => [key, state]));
    for (const given of this.given) given.state = states.get(given.key) ?? given.state;
    const arrived = this.given.filter(({ state }) => state !== "waiting");
    const learned = new Set(arrived.slice(held));
    this.given = this.given.filter((given) => !learned.has(given));
  }

  /** The held answers of an earlier visit. */
  async fetchHeld() {
    try {
      const { answers } = await call("GET", within(this.project, "/answers?mine=1"), undefined, this.stopper.signal);
      const known = new Set(this.given.map(({ key }) => key));
      for (const one of answers) {
        if (!known.has(one.key)) this.given.push({ ...one, labels: topicsOf(one.labels), question: null });
      }
      this.given.length = Math.min(this.given.length, MOST_GIVEN);
      this.listener.changed();
    } catch {
      // The list is a convenience; the next visit fetches it again.
    }
  }

  /** Fetches questions until enough are ready; waits for the server while there is none. */
  async fetchAhead() {
    if (this.fetching) return;
    this.fetching = true;
    let pause = 250;
    while (!this.stopper.signal.aborted && this.needsMore()) {
      try {
        const got = await this.fetchOnce();
        this.reachable = true;
        pause = 250;
        if (got === 0 && this.current) break;
        // While answers are on their way, the server still has their questions: it soon knows more.
        if (got === 0) await this.outbox.sleep(this.outbox.sending ? 100 : 1000);
      } catch (error) {
        if (this.stopper.signal.aborted || (error instanceof Refused && error.status === 401)) break;
        this.reachable = error instanceof Refused;
        if (error instanceof Refused) this.nothing = { reason: "refused", detail: error.message };
        this.listener.changed();
        await this.outbox.sleep(pause);
        pause = Math.min(2 * pause, 4000);
      }
    }
    this.fetching = false;
  }

  /** The leases of the questions may have ended, for example while the page was hidden. */
  get stale() {
    return performance.now() - this.fetchedAt > STALE;
  }

  needsMore() {
    return !this.current || this.stale || this.ahead.length < 0.75 * this.wanted;
  }

  /** @returns {Promise<number>} how many questions were new */
  async fetchOnce() {
    // The server decides about the next row when it knows the answer to the last question.
    await Promise.race([this.outbox.send(), this.outbox.sleep(PATIENCE)]);
    // The first call with nothing to show is answered at once and explains; later ones wait for a question.
    const wait = this.nothing && !this.current ? 30 : 0;
    this.answered = this.outbox.ids();
    // The server counts and sends again what this person has already: after a reload nothing is missing.
    const most = (/** @type {number} */ ahead) => Math.min(ahead + 1 + this.answered.size, MOST_REQUESTED);
    const path = within(this.project, `/questions/next?n=${most(this.wanted)}&enough=${most(this.enough)}&wait=${wait}`);
    /** @type {NextQuestions} */
    const { questions, nothing, progress } = await call("GET", path, undefined, this.stopper.signal);
    if (this.stale) this.ahead = [];
    this.fetchedAt = performance.now();
    const known = new Set([...this.answered, ...this.ahead.map(({ id }) => id), this.current?.id]);
    const unseen = questions.filter(({ id }) => !known.has(id));
    this.ahead.push(...unseen);
    this.nothing = questions.length > 0 ? null : nothing;
    this.progress = progress;
    this.count(this.outbox.entries.filter(({ answer }) => answer).length);
    if (this.current) this.listener.changed();
    else this.show(this.ahead.shift() ?? null);
    return unseen.length;
  }
}

