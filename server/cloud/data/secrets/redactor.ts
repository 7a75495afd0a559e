import { patternsOf } from "./redacted-forms";
import { type TextAutomaton, textAutomaton } from "./text-automaton";

/** What replaces a value. */
export const REPLACEMENT = "[redacted]";

/** Replaces values in text. */
export interface Redactor {
  /** Whether a text has a value; much faster than replacing. */
  finds: (text: string) => boolean;
  redact: (text: string) => string;
  /** For a text that arrives in parts: values are found across their borders. */
  stream: () => RedactedStream;
}

export interface RedactedStream {
  /** How many characters are held back. */
  readonly held: number;
  /** Returns what can be passed on so far: what may be the beginning of a value is held back. */
  push: (part: string) => string;
  /** Returns the rest. */
  end: () => string;
}

/**
 * Creates a redactor of values of at least 8 characters; shorter ones would replace ordinary text and are left as they
 * are. It also finds a value as base64 (also within a longer text, such as that of HTTP basic authentication), base64url,
 * hexadecimal digits, URL-encoded and as in a JSON string. Its time is linear in the text, and it holds back at most as
 * many characters as the longest of these forms has.
 */
export function createRedactor(values: readonly string[]): Redactor {
  const patterns = patternsOf(values);
  if (patterns.length === 0) return PASSING;
  const finds = (text: string) => patterns.some((pattern) => text.includes(pattern));
  let automaton: TextAutomaton | undefined;
  const stream = () => {
    automaton ??= textAutomaton(patterns);
    return redactedStream(automaton);
  };
  return {
    finds,
    stream,
    redact: (text) => {
      if (!finds(text)) return text;
      const { push, end } = stream();
      return push(text) + end();
    },
  };
}

const PASSING: Redactor = {
  finds: () => false,
  redact: (text) => text,
  stream: () => ({ held: 0, push: (part) => part, end: () => "" }),
};

function redactedStream(automaton: TextAutomaton): RedactedStream {
  let node = 0;
  /** The text from `base` on, which is not passed on yet; positions count from the beginning of the stream. */
  let held = "";
  let base = 0;
  /** Matches that are not passed on yet, in order and without overlaps. */
  let matches: [start: number, end: number][] = [];
  /** The end of the last match that was passed on; a match that begins before belongs to the same replacement. */
  let replacedTo = 0;

  const add = (start: number, end: number): void => {
    let from = start;
    while ((matches.at(-1)?.[1] ?? 0) > from) from = Math.min(from, matches.pop()?.[0] ?? from);
    matches.push([from, end]);
  };
  /** Passes on the text before `safe`, where no further match can begin. */
  const pass = (safe: number): string => {
    let text = "";
    let at = base;
    let passed = 0;
    for (const [start, end] of matches) {
      if (start > safe) break;
      passed++;
      if (start >= replacedTo) text += held.slice(at - base, start - base) + REPLACEMENT;
      at = Math.max(at, end);
      replacedTo = end;
    }
    matches = matches.slice(passed);
    if (at < safe) {
      text += held.slice(at - base, safe - base);
      at = safe;
    }
    held = held.slice(at - base);
    base = at;
    return text;
  };
  return {
    get held() {
      return held.length;
    },
    push: (part) => {
      const first = base + held.length;
      held += part;
      for (let i = 0; i < part.length; i++) {
        node = automaton.next(node, part.charCodeAt(i));
        const length = automaton.longestAt(node);
        if (length > 0) add(first + i + 1 - length, first + i + 1);
      }
      return pass(first + part.length - automaton.depthOf(node));
    },
    end: () => pass(base + held.length),
  };
}
