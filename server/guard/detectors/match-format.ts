import { RE2JS } from "re2js";
import { beginsWord, IS_WORD, isIn, latin1 } from "./byte-classes";
import { entropyOf, isExample } from "./placeholders";
import type { Match, Window } from "./rule";
import type { SecretFormat } from "./secret-formats";

const AHEAD_BYTES = 300;
/** Random characters have more; words and repetitions have less. */
const ENTROPY_MIN = 2.8;

export interface CompiledFormat {
  format: SecretFormat;
  /** The format's secret at a literal, undefined if there is none. Linear in the bytes looked at. */
  at: (window: Window, literalStart: number, literal: string) => Match | undefined;
}

export function compileFormat(format: SecretFormat): CompiledFormat {
  const { behind = 0, ahead = AHEAD_BYTES, pattern } = format;
  const compiled = RE2JS.compile(pattern);
  const isAnyCase = pattern.startsWith("[A-Za-z_-]");
  return {
    format,
    at: ({ bytes }, at, literal) => {
      if (behind === 0 && !beginsWord(bytes, at)) return undefined;
      // Words are found in any case, and formats are exact; names of settings may be in any case.
      if (!isAnyCase && latin1(bytes, at, at + literal.length) !== literal) return undefined;
      const from = Math.max(0, at - behind);
      const matcher = compiled.matcher(latin1(bytes, from, at + ahead));
      if (behind === 0 ? !matcher.lookingAt() : !matcher.find()) return undefined;
      const group = matcher.groupCount() > 0 ? 1 : 0;
      const [start, end] = [from + matcher.start(group), from + matcher.end(group)];
      if (start > at && behind > 0) return undefined;
      if (!beginsWord(bytes, start) || isIn(IS_WORD, bytes, end)) return undefined;
      return matchOf(format, { start, end, secret: matcher.group(group) ?? "" });
    },
  };
}

function matchOf(
  { id, hasChecksum, literals }: SecretFormat,
  { start, end, secret }: { start: number; end: number; secret: string },
): Match | undefined {
  const literal = literals.find((one) => secret.startsWith(one)) ?? "";
  const random = secret.slice(literal.length);
  // Such as that of AWS's documentation: it has the form of a key, and people who look for keys expect to see it.
  const isPublished = /example/i.test(random);
  if ((isExample(random) && !isPublished) || entropyOf(random) < ENTROPY_MIN) return undefined;
  const confidence = isPublished || (hasChecksum && !hasChecksum(secret)) ? "low" : "high";
  return { rule: id, start, end, confidence };
}
