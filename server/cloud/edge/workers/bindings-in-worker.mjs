// What the code of an edge function finds in `env`. Each call is a request to svc: a line of JSON and bytes, both ways.

const NEWLINE = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const bindingsOf = (svc, bindings, recordSqlCall) =>
  Object.fromEntries(
    bindings.map(({ type, name }) => [
      name,
      new TYPES[type]((call) => ask(svc, { binding: name, ...call }), recordSqlCall),
    ]),
  );

async function ask(svc, { binding, method, args, body = new Uint8Array() }) {
  const line = encoder.encode(`${JSON.stringify({ binding, method, args })}\n`);
  const sent = new Uint8Array(line.length + body.length);
  sent.set(line);
  sent.set(body, line.length);
  const response = await svc.fetch("http://svc/", { method: "POST", body: sent });
  if (!response.ok) throw new BindingError(FAILURES[response.status] ?? "svc did not respond.");
  const bytes = new Uint8Array(await response.arrayBuffer());
  const end = bytes.indexOf(NEWLINE);
  const { error, result } = JSON.parse(decoder.decode(bytes.subarray(0, end)));
  if (error) throw new BindingError(error);
  return { result, bytes: bytes.subarray(end + 1) };
}

const FAILURES = {
  404: "The request that this belongs to has ended.",
  413: "The value is too large.",
  429: "Too many calls of bindings run at once in this project.",
  503: "Calls of bindings send too many bytes at once.",
};

class BindingError extends Error {
  name = "BindingError";
}

async function bytesOf(value) {
  if (typeof value === "string") return encoded(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ReadableStream || value instanceof Blob)
    return new Uint8Array(await new Response(value).arrayBuffer());
  throw new TypeError("Expected a string, an ArrayBuffer, a typed array, a Blob or a ReadableStream.");
}

// The encoder would replace half of a surrogate pair, and what was stored would be read as another text.
function encoded(text) {
  if (!text.isWellFormed()) throw new TypeError("The text has half of a surrogate pair, which UTF-8 cannot express.");
  return encoder.encode(text);
}

const READS = {
  text: (bytes) => decoder.decode(bytes),
  json: (bytes) => JSON.parse(decoder.decode(bytes)),
  arrayBuffer: (bytes) => bytes.slice().buffer,
  stream: (bytes) => new Response(bytes).body,
};

class Kv {
  #ask;
  constructor(ask) {
    this.#ask = ask;
  }

  async get(key, options) {
    const type = typeof options === "string" ? options : (options?.type ?? "text");
    const { result, bytes } = await this.#ask({ method: "get", args: { key } });
    return result ? READS[type](bytes) : null;
  }

  async put(key, value, { expirationTtl, expiration } = {}) {
    await this.#ask({ method: "put", args: { key, expirationTtl, expiration }, body: await bytesOf(value) });
  }

  async delete(key) {
    await this.#ask({ method: "delete", args: { key } });
  }

  async list({ prefix, limit, cursor } = {}) {
    return (await this.#ask({ method: "list", args: { prefix, limit, cursor } })).result;
  }
}

class Bucket {
  #ask;
  constructor(ask) {
    this.#ask = ask;
  }

  async head(key) {
    return shown((await this.#ask({ method: "head", args: { key } })).result);
  }

  async get(key) {
    const { result, bytes } = await this.#ask({ method: "get", args: { key } });
    if (!result) return null;
    const reads = Object.entries(READS).filter(([name]) => name !== "stream");
    const body = Object.fromEntries(reads.map(([name, read]) => [name, async () => read(bytes)]));
    return { ...shown(result), ...body, body: READS.stream(bytes) };
  }

  async put(key, value, { contentType } = {}) {
    await this.#ask({ method: "put", args: { key, contentType }, body: await bytesOf(value) });
  }

  async delete(keys) {
    await this.#ask({ method: "delete", args: { keys: Array.isArray(keys) ? keys : [keys] } });
  }

  async list({ prefix, delimiter, limit, cursor } = {}) {
    const { result } = await this.#ask({ method: "list", args: { prefix, delimiter, limit, cursor } });
    return { ...result, objects: result.objects.map(shown) };
  }
}

const shown = (object) => object && { ...object, uploaded: new Date(object.uploaded) };

class Queue {
  #ask;
  constructor(ask) {
    this.#ask = ask;
  }

  async send(body, options = {}) {
    await this.sendBatch([{ ...options, body }]);
  }

  async sendBatch(messages) {
    const named = [...messages].map(({ body, groupId, delaySeconds, deduplicationId }) => ({
      body,
      group_id: groupId,
      delay_seconds: delaySeconds,
      deduplication_id: deduplicationId,
    }));
    await this.#ask({ method: "send", args: { messages: named } });
  }
}

class Sql {
  #ask;
  #note;
  constructor(ask, note) {
    this.#ask = ask;
    this.#note = note;
  }

  prepare(sql) {
    return new SqlStatement((statements, shown) => this.#run(statements, shown), { sql: String(sql), params: [] });
  }

  // In one transaction: all statements take effect, or none.
  async batch(statements) {
    return this.#run(Array.from(statements, (statement) => SqlStatement.sentOf(statement)));
  }

  async #run(statements, shown = shownResult) {
    this.#note();
    const beganAt = Date.now();
    const { result } = await this.#ask({ method: "run", args: { statements } });
    return result.map((one) => ({ ...one, duration: Date.now() - beganAt })).map(shown);
  }
}

class SqlStatement {
  #run;
  #sent;
  constructor(run, sent) {
    this.#run = run;
    this.#sent = sent;
  }

  static sentOf(statement) {
    return statement.#sent;
  }

  bind(...values) {
    return new SqlStatement(this.#run, { ...this.#sent, params: values.map(paramOf) });
  }

  async all() {
    const [result] = await this.#run([this.#sent]);
    return result;
  }

  run() {
    return this.all();
  }

  // Rows as arrays, which have all columns, also several of one name.
  async raw({ columnNames = false } = {}) {
    const [{ names, values }] = await this.#run([this.#sent], rawResult);
    return columnNames ? [names, ...values] : values;
  }

  async first(column) {
    const [row] = (await this.all()).results;
    if (row === undefined) return null;
    if (column === undefined) return row;
    if (!Object.hasOwn(row, column)) throw new BindingError(`The row has no column ${column}.`);
    return row[column];
  }
}

function paramOf(value) {
  if (value === null) return null;
  if (["string", "number", "bigint", "boolean"].includes(typeof value)) return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return hexOf(value);
  throw new TypeError(
    "Expected null, a string, a number, a bigint, a boolean, a Date, an ArrayBuffer or a typed array.",
  );
}

function hexOf(value) {
  const bytes =
    value instanceof ArrayBuffer
      ? new Uint8Array(value)
      : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return `\\x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function shownResult({ changes, duration, ...result }) {
  const { names, values } = rawResult(result);
  const results = values.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
  return { success: true, results, meta: { changes, duration } };
}

function rawResult({ columns, rows }) {
  const read = ({ type }, text) => (text === null ? null : (READS_OF_TYPE[type] ?? String)(text));
  const values = rows.map((row) => columns.map((column, i) => read(column, row[i])));
  return { names: columns.map(({ name }) => name), values };
}

// As numbers only what a number holds exactly, or as exactly as PostgreSQL does.
function numberOf(text) {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

function integerOf(text) {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}

const parsed = (text) =>
  JSON.parse(text, (_, value, { source }) => (typeof value === "number" ? numberIn(source, value) : value));

// A double keeps every number of 15 digits.
function numberIn(source, value) {
  const digits = source.replace(/[eE].*$/, "").replace(/\D/g, "");
  const isInRange = Number.isFinite(value) && (value !== 0 || /^0+$/.test(digits));
  return (digits.length <= 15 && isInRange) || String(value) === source ? value : source;
}

const bytesOfHex = (text) => Uint8Array.from(text.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

// By the object identifiers of PostgreSQL's types, which never change; the others are left as text.
const READS_OF_TYPE = {
  16: (text) => text === "t",
  17: bytesOfHex,
  20: integerOf,
  21: integerOf,
  23: integerOf,
  26: integerOf,
  700: numberOf,
  701: numberOf,
  114: parsed,
  3802: parsed,
};

const TYPES = { kv: Kv, object: Bucket, queue: Queue, sql: Sql };
