// Reads the rows of pasted or uploaded CSV and JSON lines, a piece at a time.

/** @typedef {Record<string, unknown>} Row */

/** The pieces of a text or a file. @param {string | Blob} source @returns {AsyncGenerator<string>} */
async function* pieces(source) {
  if (typeof source === "string") {
    for (let at = 0; at < source.length; at += 1 << 16) yield source.slice(at, at + (1 << 16));
    return;
  }
  const reader = source.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** The delimiter of a CSV file: the one that its first line has most of, outside of quotes. @param {string} start of the file */
function delimiterOf(start) {
  const line = start.replace(/"(?:[^"]|"")*"/g, "").split(/\r?\n/, 1)[0];
  const count = (/** @type {string} */ mark) => line.split(mark).length;
  return [",", ";", "\t", "|"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

/** The records of CSV: fields in quotes may have delimiters, line ends and doubled quotes. @param {AsyncIterable<string>} texts
 * @returns {AsyncGenerator<string[]>} */
async function* csvRecords(texts) {
  let delimiter = "";
  let field = "";
  let quoted = false;
  let wasQuote = false; // the last character was a quote in a quoted field: an end, or the first of two
  let line = 1;
  let record = /** @type {string[]} */ ([]);
  for await (const text of texts) {
    delimiter ||= delimiterOf(text);
    for (const one of text) {
      if (one === "\n") ++line;
      if (wasQuote) {
        wasQuote = false;
        if (one === '"') {
          field += '"';
          continue;
        }
        quoted = false;
      }
      if (quoted) {
        if (one === '"') wasQuote = true;
        else field += one;
      } else if (one === '"' && field === "") quoted = true;
      else if (one === delimiter || one === "\n") {
        record.push(one === "\n" ? field.replace(/\r$/, "") : field);
        field = "";
        if (one === "\n") {
          if (record.some((value) => value !== "")) yield record;
          record = [];
        }
      } else field += one;
    }
  }
  if (quoted && !wasQuote) throw new Error(`line ${line}: a quoted field does not end`);
  record.push(field.replace(/\r$/, ""));
  if (record.some((value) => value !== "")) yield record;
}

/** @param {AsyncIterable<string>} texts @returns {AsyncGenerator<Row>} */
async function* csvRows(texts) {
  let heads = /** @type {string[] | null} */ (null);
  let count = 0;
  for await (const record of csvRecords(texts)) {
    if (!heads) {
      heads = record.map((head, index) => head.trim().replace(/^\ufeff/, "") || `column ${index + 1}`);
      heads = heads.map((head, index, all) => (all.indexOf(head) < index ? `${head} (${index + 1})` : head));
      continue;
    }
    ++count;
    const names = heads;
    if (record.length > names.length) throw new Error(`row ${count} has ${record.length} fields, the first line has ${names.length}`);
    yield Object.fromEntries(names.map((name, index) => [name, record[index] ?? ""]));
  }
}

/** @param {AsyncIterable<string>} texts @returns {AsyncGenerator<Row>} */
async function* jsonRows(texts) {
  let rest = "";
  let line = 0;
  const read = (/** @type {string} */ text) => {
    ++line;
    if (text.trim() === "") return null;
    try {
      const row = JSON.parse(text);
      if (typeof row === "object" && row !== null && !Array.isArray(row)) return row;
    } catch (error) {
      throw new Error(`line ${line}: ${/** @type {Error} */ (error).message}`);
    }
    throw new Error(`line ${line}: not an object`);
  };
  for await (const text of texts) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const one of lines) {
      const row = read(one);
      if (row) yield row;
    }
  }
  const row = read(rest);
  if (row) yield row;
}

/** All rows of CSV with a first line of names, or of JSON lines: objects begin with a brace. @param {string | Blob} source
 * @returns {AsyncGenerator<Row>} */
export async function* rowsOf(source) {
  const start = typeof source === "string" ? source.slice(0, 100) : await source.slice(0, 100).text();
  yield* /^\s*\{/.test(start.replace(/^\ufeff/, "")) ? jsonRows(pieces(source)) : csvRows(pieces(source));
}
