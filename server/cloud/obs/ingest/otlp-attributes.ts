import { type Fields, fieldsOf, int64Of, isAbsent, listOf, numberOf, RefusedRecord, textOf } from "./otlp-value";

const ATTRIBUTES_MAX = 128;
const KEY_LENGTH_MAX = 256;
const DEPTH_MAX = 8;

/** Told of each part of a record that is dropped while the record is kept. */
export type Warn = (message: string) => void;

/**
 * Attributes by key, each as text; structured ones as JSON. An attribute that cannot be kept is dropped alone. Throws
 * RefusedRecord for what is no list.
 */
export function attributesOf(value: unknown, name: string, warn: Warn): Record<string, string> {
  const list = listOf(value, name);
  if (list.length > ATTRIBUTES_MAX) warn(`${name} has more than ${ATTRIBUTES_MAX} entries: the others were dropped`);
  const kept: [string, string][] = [];
  for (const [i, entry] of list.slice(0, ATTRIBUTES_MAX).entries()) {
    try {
      kept.push(attributeOf(entry, `${name}[${i}]`));
    } catch (failure) {
      if (!(failure instanceof RefusedRecord)) throw failure;
      warn(`${failure.message}: the attribute was dropped`);
    }
  }
  return Object.fromEntries(kept);
}

function attributeOf(entry: unknown, name: string): [string, string] {
  const { key, value } = fieldsOf(entry);
  const text = textOf(key, `the key of ${name}`);
  if (text.length > KEY_LENGTH_MAX)
    throw new RefusedRecord(`the key of ${name} has more than ${KEY_LENGTH_MAX} characters`);
  return [text, anyText(value, `${name} (${JSON.stringify(text)})`)];
}

/** An AnyValue of OTLP as text; empty for none. Throws RefusedRecord. */
export function anyText(value: unknown, name: string): string {
  const plain = plainOf(value, { name, depth: 0 });
  return textOf(typeof plain === "string" ? plain : plain === null ? "" : JSON.stringify(plain), name);
}

interface Place {
  name: string;
  depth: number;
}

/** What each member of AnyValue is as JSON. */
const READERS: Readonly<Record<string, (value: unknown, place: Place) => unknown>> = {
  stringValue: (value, { name }) => textOf(value, name),
  boolValue: (value, { name }) => {
    if (typeof value !== "boolean") throw new RefusedRecord(`${name} is neither true nor false`);
    return value;
  },
  intValue: (value, { name }) => integerText(int64Of(value, name)),
  doubleValue: (value, { name }) => doubleText(numberOf(value, name)),
  bytesValue: (value, { name }) => base64Of(value, name),
  arrayValue: (value, place) => listOf(fieldsOf(value).values, place.name).map((one) => plainOf(one, place)),
  kvlistValue: (value, place) =>
    Object.fromEntries(
      listOf(fieldsOf(value).values, place.name)
        .map(fieldsOf)
        .map(({ key, value: one }) => [textOf(key, `a key of ${place.name}`), plainOf(one, place)]),
    ),
};

function plainOf(value: unknown, { name, depth }: Place): unknown {
  if (depth > DEPTH_MAX) throw new RefusedRecord(`${name} is nested too deeply`);
  const any: Fields = fieldsOf(value);
  for (const member in any) {
    const read = Object.hasOwn(READERS, member) ? READERS[member] : undefined;
    if (read && !isAbsent(any[member])) return read(any[member], { name, depth: depth + 1 });
  }
  return null;
}

/** Large integers keep all digits. */
const integerText = (integer: bigint): number | string => {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : String(integer);
};

/** JSON has no number for these. */
export const doubleText = (number: number): number | string => (Number.isFinite(number) ? number : String(number));

/** Bytes in base 64, of either alphabet and with or without padding; returned in the usual one, padded. */
function base64Of(value: unknown, name: string): string {
  const text = textOf(value, name);
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw new RefusedRecord(`${name} is not base 64`);
  return Buffer.from(text, "base64").toString("base64");
}
