import { ASSIGNED_LITERALS, assignedSecretAt } from "./assigned-secrets";
import { byteAutomaton } from "./byte-automaton";
import { emailAddressAt } from "./email-addresses";
import { compileFormat } from "./match-format";
import { PRIVATE_KEY_LITERALS, privateKeyAt } from "./private-keys";
import type { Match, Window } from "./rule";
import { SECRET_FORMATS } from "./secret-formats";
import {
  BASIC_LITERAL,
  basicAuthorizationAt,
  JWT_LITERAL,
  URL_LITERAL,
  urlPasswordAt,
  webTokenAt,
} from "./tokens-and-urls";

/** What is tried where a literal is found. */
interface WordRule {
  literal: string;
  /** Bytes of the literal. */
  length: number;
  /** The name of a setting, whose value a rule with an exact format may match as well. */
  isName: boolean;
  at: (window: Window, start: number) => Match | undefined;
}

const rulesOf = (
  literals: readonly string[],
  at: (window: Window, start: number, literal: string) => Match | undefined,
  isName = false,
): WordRule[] =>
  literals.map((literal) => ({
    literal,
    length: Buffer.byteLength(literal),
    isName,
    at: (window, start) => at(window, start, literal),
  }));

const WORD_RULES: readonly WordRule[] = [
  ...SECRET_FORMATS.map(compileFormat).flatMap(({ format, at }) => rulesOf(format.literals, at)),
  ...rulesOf(PRIVATE_KEY_LITERALS, privateKeyAt),
  ...rulesOf([JWT_LITERAL], webTokenAt),
  ...rulesOf([URL_LITERAL], urlPasswordAt),
  ...rulesOf([BASIC_LITERAL], basicAuthorizationAt),
  ...rulesOf(["@"], ({ bytes }, at) => emailAddressAt(bytes, at)),
  ...rulesOf(ASSIGNED_LITERALS, assignedSecretAt, true),
];

const AUTOMATON = byteAutomaton(WORD_RULES.map(({ literal }) => literal));
const NO_STATE = 0;

/**
 * Tries the rules of the literals that end from `from` to before `to`, the automaton being in `state`. Returns its state
 * at `to`, with which the bytes behind are searched.
 */
export function searchWords(
  window: Window,
  { from, to, state }: { from: number; to: number; state: number },
  found: (match: Match) => void,
): number {
  const { columnOf, next, firstEnd, endsAt } = AUTOMATON;
  const { bytes } = window;
  let at = state;
  for (let i = from; i < to; i++) {
    at = next[at + (columnOf[bytes[i] ?? 0] ?? 0)] ?? 0;
    if (at < firstEnd) continue;
    for (const index of endsAt(at)) {
      const match = matchOf(window, WORD_RULES[index], i + 1);
      if (match) found(match);
    }
  }
  return at;
}

function matchOf(window: Window, rule: WordRule | undefined, literalEnd: number): Match | undefined {
  const match = rule?.at(window, literalEnd - rule.length);
  if (!match || !rule?.isName) return match;
  return hasExactFormat(window, match) ? undefined : match;
}

/** The value of a setting that has a known format is found by the rule of the format. */
function hasExactFormat(window: Window, { start, end }: Match): boolean {
  let isExact = false;
  const { columnOf, next, firstEnd, endsAt } = AUTOMATON;
  let at = NO_STATE;
  // A URL begins before its password, and some settings have the value of another rule.
  for (let i = Math.max(0, start - 40); i < Math.min(end + 8, window.bytes.length) && !isExact; i++) {
    at = next[at + (columnOf[window.bytes[i] ?? 0] ?? 0)] ?? 0;
    if (at < firstEnd) continue;
    isExact = endsAt(at).some((index) => {
      const rule = WORD_RULES[index];
      const match = rule && !rule.isName ? rule.at(window, i + 1 - rule.length) : undefined;
      return match !== undefined && match.start < end && match.end > start;
    });
  }
  return isExact;
}
