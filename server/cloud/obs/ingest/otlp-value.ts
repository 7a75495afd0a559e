import { ExactNumber } from "../../../kernel/exact-number";

/** What is wrong with one record; the others of the request are stored. */
export class RefusedRecord extends Error {}

type Fields = Record<string, unknown>;

const ATTRIBUTES_MAX = 128;
const KEY_LENGTH_MAX = 256;
const TEXT_LENGTH_MAX = 65_536;
/** Of what many records repeat; names of instruments have at most 255 in OpenTelemetry. */
const NAME_LENGTH_MAX = 512;
const DEPTH_MAX = 8;
const NANOS_PER_MS = 1_000_000n;
const DAY_MS = 24 * 3600 * 1000;
/** Records of other times are refused. */
const PAST_MS_MAX = 400 * DAY_MS;
const FUTURE_MS_MAX = DAY_MS;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** An absent list is empty. Throws RefusedRecord for what is none. */
export function listOf(value: unknown, name: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new RefusedRecord(`${name} is no array`);
  return value;
}

export function textOf(value: unknown, name: string): string {
  if (value === undefined || value === null) return "";
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

/** A 64-bit integer, which OTLP writes as a string. */
export function integerOf(value: unknown, name: string): bigint {
  if (value === undefined || value === null) return 0n;
  const text = String(value);
  if (!/^-?\d{1,20}$/.test(text)) throw new RefusedRecord(`${name} is no integer`);
  return BigInt(text);
}

export function countOf(value: unknown, name: string): bigint {
  const count = integerOf(value, name);
  if (count < 0n || count >= 1n << 64n) throw new RefusedRecord(`${name} is out of range`);
  return count;
}

export function numberOf(value: unknown, name: string): number {
  const number = typeof value === "string" || value instanceof ExactNumber ? Number(String(value)) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) throw new RefusedRecord(`${name} is no finite number`);
  return number;
}

/** An id of `bytes` bytes in hexadecimal, or empty. */
export function hexOf(value: unknown, { name, bytes }: { name: string; bytes: number }): string {
  const text = textOf(value, name).toLowerCase();
  if (text !== "" && !(text.length === bytes * 2 && /^[0-9a-f]+$/.test(text)))
    throw new RefusedRecord(`${name} is not ${bytes} bytes in hexadecimal`);
  return text;
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

function clickhouseTime(nanos: bigint): string {
  const seconds = new Date(Number(nanos / 1_000_000_000n) * 1000).toISOString().replace("T", " ").slice(0, 19);
  return `${seconds}.${String(nanos % 1_000_000_000n).padStart(9, "0")}`;
}

/** Attributes by key, each as text; structured ones as JSON. */
export function attributesOf(value: unknown, name: string): Record<string, string> {
  const list = listOf(value, name);
  if (list.length > ATTRIBUTES_MAX) throw new RefusedRecord(`${name} has more than ${ATTRIBUTES_MAX} entries`);
  return Object.fromEntries(
    list.map((entry) => {
      const { key, value: any } = fieldsOf(entry);
      const text = textOf(key, `a key of ${name}`);
      if (text.length > KEY_LENGTH_MAX)
        throw new RefusedRecord(`a key of ${name} has more than ${KEY_LENGTH_MAX} characters`);
      return [text, anyText(any, `${name}.${text}`)];
    }),
  );
}

/** An AnyValue of OTLP as text. */
export function anyText(value: unknown, name: string): string {
  const plain = plainOf(value, { name, depth: 0 });
  return textOf(typeof plain === "string" ? plain : plain === null ? "" : JSON.stringify(plain), name);
}

function plainOf(value: unknown, { name, depth }: { name: string; depth: number }): unknown {
  if (depth > DEPTH_MAX) throw new RefusedRecord(`${name} is nested too deeply`);
  const any = fieldsOf(value);
  if (typeof any.stringValue === "string") return any.stringValue;
  if (typeof any.boolValue === "boolean") return any.boolValue;
  if (any.intValue !== undefined) return integerText(any.intValue, name);
  if (any.doubleValue !== undefined) return numberOf(any.doubleValue, name);
  if (typeof any.bytesValue === "string") return any.bytesValue;
  const below = { name, depth: depth + 1 };
  if (any.arrayValue !== undefined)
    return listOf(fieldsOf(any.arrayValue).values, name).map((one) => plainOf(one, below));
  if (any.kvlistValue === undefined) return null;
  const entries = listOf(fieldsOf(any.kvlistValue).values, name).map(fieldsOf);
  return Object.fromEntries(entries.map(({ key, value: one }) => [String(key), plainOf(one, below)]));
}

/** Large integers keep all digits. */
const integerText = (value: unknown, name: string): number | string => {
  const integer = integerOf(value, name);
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : String(integer);
};
