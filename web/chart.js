// Charts as inline SVG: lines, bands and marks over rounds. Each chart has its numbers as a table below.

import { h, s, table } from "./dom.js";
import { number, t } from "./texts.js";

/** @typedef {{x: number, y: number, low?: number, high?: number}} Place */
/** @typedef {{name: string, look: "a" | "b", points: Place[]}} Line */
/** @typedef {{x: number, text: string}} Mark */

const WIDTH = 400;
const HEIGHT = 220;
const LEFT = 44;
const RIGHT = 10;
const TOP = 12;
const BOTTOM = 34;
const ROWS = 40; // of the table of numbers

/** Round numbers that cover a range. @param {number} most @param {number} count at most so many @param {number} least of a step */
function ticks(most, count, least) {
  const raw = Math.max(most / count, least);
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = size * (/** @type {number} */ ([1, 2, 5, 10].find((factor) => factor * size >= raw * 0.999)));
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => index * step);
}

/** A line and its band. @param {Pick<Line, "look" | "points">} line @param {(x: number) => number} across
 * @param {(y: number) => number} down */
function shapes({ look, points }, across, down) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) => `${across(x).toFixed(1)},${down(y).toFixed(1)}`;
  const band = points.filter(({ low, high }) => low !== undefined && high !== undefined);
  const edge = [...band.map(({ x, high }) => at(x, high ?? 0)), ...band.map(({ x, low }) => at(x, low ?? 0)).reverse()];
  return [
    band.length > 0 && s("polygon", { class: `band ${look}`, points: edge.join(" ") }),
    points.length === 1 ? s("circle", { class: `dot ${look}`, cx: across(points[0].x), cy: down(points[0].y), r: 3 })
      : s("polyline", { class: `line ${look}`, points: points.map(({ x, y }) => at(x, y)).join(" ") }),
  ];
}

/** A line and its band in a cell of a table, without axes. @param {string} title @param {Place[]} points
 * @param {number} rounds the horizontal axis ends here @param {(value: number) => string} format */
export function smallChart(title, points, rounds, format) {
  const last = points[points.length - 1];
  return last ? s("svg", { class: "spark", viewBox: "0 0 120 32", role: "img", "aria-label": `${title}: ${spoken(last, format)}` },
    shapes({ look: "a", points }, (x) => (118 * x) / Math.max(rounds, 1) + 1, (y) => 31 - 30 * y)) : "–";
}

/** @param {object} chart @param {string} chart.title @param {Line[]} chart.lines @param {Mark[]} [chart.marks]
 * @param {(value: number) => string} chart.format of the vertical axis
 * @param {number} [chart.most] the vertical axis ends here at the latest
 * @param {number} [chart.step] the smallest step of the vertical axis */
export function chart({ title, lines, marks = [], format, most = Infinity, step = 0 }) {
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) return h("figure", { class: "chart" }, h("figcaption", {}, title), h("p", { class: "hint" }, t("no-points")));
  const xMost = Math.max(1, ...points.map(({ x }) => x));
  const highest = Math.max(...points.map(({ y, high }) => high ?? y)) || 1;
  const yTicks = ticks(Math.min(highest * 1.05, most), 4, step);
  const yMost = Math.min(Math.max(yTicks[yTicks.length - 1], highest), most);
  const across = (/** @type {number} */ x) => LEFT + (x / xMost) * (WIDTH - LEFT - RIGHT);
  const down = (/** @type {number} */ y) => HEIGHT - BOTTOM - (Math.min(y, yMost) / yMost) * (HEIGHT - TOP - BOTTOM);
  const axes = [
    ...yTicks.map((y) => [s("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: down(y), y2: down(y) }),
      s("text", { x: LEFT - 5, y: down(y) + 4, "text-anchor": "end" }, format(y))]),
    ...ticks(xMost, 4, 1).map((x) => s("text", { x: across(x), y: HEIGHT - BOTTOM + 15,
      "text-anchor": across(x) > WIDTH - 30 ? "end" : "middle" }, number(x))),
    s("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, "text-anchor": "end" }, t("rounds")),
  ].flat();
  const flags = marks.map(({ x, text }) => s("g", { class: "mark" },
    s("line", { x1: across(x), x2: across(x), y1: TOP, y2: HEIGHT - BOTTOM }),
    s("path", { d: `M${across(x) - 5} ${TOP - 8}h10l-5 9z` }), s("title", {}, text)));

  const last = lines.map(({ name, points: all }) => {
    const end = all[all.length - 1];
    return end ? `${name} ${spoken(end, format)}` : name;
  }).join("; ");
  return h("figure", { class: "chart" },
    h("figcaption", {}, title),
    s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title}: ${last}` }, axes,
      lines.flatMap((line) => shapes(line, across, down)), flags),
    h("ul", { class: "legend" }, lines.map(({ name, look, points: all }) => h("li", {},
      s("svg", { viewBox: "0 0 24 8", width: 24, height: 8, "aria-hidden": "true" },
        s("line", { class: `line ${look}`, x1: 0, x2: 24, y1: 4, y2: 4 })),
      ` ${name}${all.some(({ low }) => low !== undefined) ? ` (${t("with-band")})` : ""}`))),
    marks.length > 0 && h("ul", { class: "alarms" }, marks.map(({ text }) => h("li", {}, text))),
    numbers(title, lines, format));
}

/** @param {Place} place @param {(value: number) => string} format */
function spoken({ y, low, high }, format) {
  return low === undefined || high === undefined ? format(y) : `${format(y)} [${format(low)}, ${format(high)}]`;
}

/** The chart's numbers, thinned out where there are many. @param {string} title @param {Line[]} lines
 * @param {(value: number) => string} format */
function numbers(title, lines, format) {
  const all = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const every = Math.ceil(all.length / ROWS);
  const rounds = all.filter((_, index) => (all.length - 1 - index) % every === 0);
  const found = lines.map(({ points }) => new Map(points.map((point) => [point.x, point])));
  return h("details", {}, h("summary", {}, t("as-table")),
    table(title, [t("rounds"), ...lines.map(({ name }) => name)], rounds.map((x) => [number(x), ...found.map((points) => {
      const point = points.get(x);
      return point ? spoken(point, format) : "";
    })])));
}
