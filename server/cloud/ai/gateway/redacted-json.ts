import { relayedJson, relayedText } from "../../../kernel/relayed-json";
import type { Redactor } from "../../data/secrets/redactor";

export interface RedactedJson {
  /** As it came, if nothing was replaced. */
  text: string;
  value: unknown;
}

/** Parses JSON: `relayedJson`, or JSON.parse for what has many numbers that are read. */
export type ParseJson = (text: string) => unknown;

/** Escapes that JSON.stringify does not write once: behind them a value does not look like itself. */
const HIDING = ["\\u", "\\/", "\\\\"];

/** Replaces values in the strings of a JSON text, however they are escaped. Throws if it is no JSON. */
export function redactedJson(text: string, redactor: Redactor, parse: ParseJson = relayedJson): RedactedJson {
  const value = parse(text);
  if (!redactor.finds(text) && !HIDING.some((one) => text.includes(one))) return { text, value };
  let isRedacted = false;
  const redact = (one: string): string => {
    const passed = redactor.redact(one);
    isRedacted ||= passed !== one;
    return passed;
  };
  const safe = withStrings(value, redact);
  return isRedacted ? { text: relayedText(safe), value: safe } : { text, value };
}

function withStrings(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((one) => withStrings(one, redact));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [
    redact(name),
    // They list the pieces of a text that may have the value.
    name === "logprobs" ? null : withStrings(one, redact),
  ]);
  return Object.fromEntries(entries);
}
