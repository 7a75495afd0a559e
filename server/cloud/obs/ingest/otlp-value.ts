import { ExactNumber } from "../../../kernel/exact-number";

/** What is wrong with one record; the others of the request are stored. */
export class RefusedRecord extends Error {}

export type Fields = Record<string, unknown>;

const TEXT_LENGTH_MAX = 65_536;
/** Of what many records repeat; names of instruments have at most 255 in OpenTelemetry. */
const NAME_LENGTH_MAX = 512;
const [INT64_MIN, INT64_MAX] = [-(1n << 63n), (1n << 63n) - 1n];
const NANOS_PER_MS = 1_000_000n;
const DAY_MS = 24 * 3600 * 1000;
/** Records of other times are refused. */
const PAST_MS_MAX = 400 * DAY_MS;
const FUTURE_MS_MAX = DAY_MS;

/**
 * The fields of a message, by the names of OTLP's JSON: those of its Protobuf, such as `time_unix_nano`, mean the same.
 * What is no object has none.
 */
export function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const fields = value as Fields;
  for (const name in fields) if (name.includes("_")) return camelFields(fields);
  return fields;
}

function camelFields(fields: Fields): Fields {
  const camel = Object.entries(fields).map(([name, value]): [string, unknown] => [
    name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return { ...Object.fromEntries(camel), ...fields };
}

/** As `fieldsOf`, of an entry of a list. Throws RefusedRecord for what is no object. */
export function messageOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new RefusedRecord("it is no object");
  return fieldsOf(value);
}

/** A field that is absent, or null, which means the same. */
export const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

/** An absent list is empty. Throws RefusedRecord for what is none. */
export function listOf(value: unknown, name: string): unknown[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) throw new RefusedRecord(`${name} is no array`);
  return value;
}

export function textOf(value: unknown, name: string): string {
  if (isAbsent(value)) return "";
  if (typeof value !== "string") throw new RefusedRecord(`${name} is no string`);
  if (value.length > TEXT_LENGTH_MAX) throw new RefusedRecord(`${name} has more than ${TEXT_LENGTH_MAX} characters`);
  return value.toWellFormed().replaceAll("\0", "\u{fffd}");
}

/** A text that many records repeat, as the name of a metric or of a service. */
export function nameOf(value: unknown, name: string): string {
  const text = textOf(value, name);
  if (text.length > NAME_LENGTH_MAX) throw new RefusedRecord(`${name} has more than ${NAME_LENGTH_MAX} characters`);
  return text;
}

/** A number as it is written; undefined for what is none. OTLP writes integers of 64 bits as strings. */
function numeralOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const isNumber = typeof value === "number" || typeof value === "bigint" || value instanceof ExactNumber;
  return isNumber ? String(value) : undefined;
}

/** An integer, also one that JSON writes as 1.0 or 1e3; 0 for none. */
export function integerOf(value: unknown, name: string): bigint {
  if (isAbsent(value)) return 0n;
  const text = numeralOf(value) ?? "";
  if (/^-?\d{1,20}$/.test(text)) return BigInt(text);
  const number = FLOAT.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new RefusedRecord(`${name} is no integer`);
  return BigInt(number);
}

/** An integer from -2^63 to 2^63 - 1. */
export function int64Of(value: unknown, name: string): bigint {
  const integer = integerOf(value, name);
  if (integer < INT64_MIN || integer > INT64_MAX) throw new RefusedRecord(`${name} is out of range`);
  return integer;
}

export function countOf(value: unknown, name: string): bigint {
  const count = integerOf(value, name);
  if (count < 0n || count >= 1n << 64n) throw new RefusedRecord(`${name} is out of range`);
  return count;
}

const FLOAT = /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i;
const NOT_FINITE: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
};

/** A double, which may be a string: only so can it be NaN or infinite. 0 for none. */
export function numberOf(value: unknown, name: string): number {
  if (isAbsent(value)) return 0;
  const text = numeralOf(value) ?? "";
  if (typeof value === "string" && NOT_FINITE[text] !== undefined) return NOT_FINITE[text];
  const number = FLOAT.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) throw new RefusedRecord(`${name} is no number of 64 bits`);
  return number;
}

/** A value of an enum, by number, or by a name such as SPAN_KIND_SERVER. Returns what `names` calls it. */
export function enumOf(
  value: unknown,
  { name, prefix, names }: { name: string; prefix: string; names: readonly string[] },
): string {
  const label = typeof value === "string" && value.startsWith(prefix) ? value.slice(prefix.length).toLowerCase() : "";
  const found = label === "" ? names[Number(countOf(value, name))] : names.find((one) => one === label);
  if (found === undefined) throw new RefusedRecord(`${name} is not 0 to ${names.length - 1}`);
  return found;
}

/** An id of `bytes` bytes in hexadecimal, in lower case; empty for none, which may be written as zeros. */
export function hexOf(value: unknown, { name, bytes }: { name: string; bytes: number }): string {
  const text = textOf(value, name).toLowerCase();
  if (text !== "" && !(text.length === bytes * 2 && /^[0-9a-f]+$/.test(text)))
    throw new RefusedRecord(`${name} is not ${bytes} bytes in hexadecimal`);
  return /^0*$/.test(text) ? "" : text;
}

/** Unix nanoseconds as ClickHouse reads them; `fallback` for none. */
export function timeOf(value: unknown, { name, now }: { name: string; now: Date }): string {
  const nanos = integerOf(value, name);
  if (nanos === 0n) return clickhouseTime(BigInt(now.getTime()) * NANOS_PER_MS);
  const ms = Number(nanos / NANOS_PER_MS);
  if (ms < now.getTime() - PAST_MS_MAX || ms > now.getTime() + FUTURE_MS_MAX)
    throw new RefusedRecord(`${name} is more than 400 days ago or a day ahead`);
  return clickhouseTime(nanos);
}

/** Whether a time, in Unix nanoseconds, is there. */
export const hasTime = (value: unknown, name: string): boolean => integerOf(value, name) !== 0n;

function clickhouseTime(nanos: bigint): string {
  const seconds = new Date(Number(nanos / 1_000_000_000n) * 1000).toISOString().replace("T", " ").slice(0, 19);
  return `${seconds}.${String(nanos % 1_000_000_000n).padStart(9, "0")}`;
}
