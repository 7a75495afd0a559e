const READ_MAX = 2_000;

const QUOTES = /["“”„‟‘’‚‛′‵«»‹›ʺˮ]/g;
/** Everything except letters, digits, currency signs and prose punctuation: no markup brackets, no symbols. */
const MARKUP = /[^\p{L}\p{M}\p{N}\p{Sc}\s.,:;!?'%&/+()#@°®×–—¿¡、。・،؟؛٫٬।-]/gu;
/** Zero-width and bidirectional characters, variation selectors, tags, fillers. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Letters that Unicode lists as confusable with angle brackets (confusables.txt of UTS 39). */
const BRACKET_LOOKALIKES = /[\u1433\u1438\u16b2\u{16f3f}]/gu;
/** Combining marks can pile up on a letter; no script needs more than three. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;
const LINK = /\/\/|^\W*www\.|(javascript|vbscript|data|file|blob|mailto|tel):\S/i;

/**
 * Untrusted text as one line of plain words of at most `lengthMax` characters: compatibility forms normalized (NFKC), without markup, control or invisible characters, and URLs. It contains none of ``< > [ ] { } " ` \ | * _ ~``
 * and nothing that looks like an angle bracket.
 */
export function plainText(text: unknown, lengthMax: number): string {
  if (typeof text !== "string") return "";
  const line = text
    .slice(0, READ_MAX)
    .normalize("NFKC")
    .replace(QUOTES, "'")
    .replaceAll("\u2044", "/")
    .replace(MARKUP, " ")
    .replace(INVISIBLE, "")
    .replace(BRACKET_LOOKALIKES, " ")
    .replace(PILED_MARKS, "$1")
    .split(/\s+/)
    .filter((word) => word !== "" && !LINK.test(word))
    .join(" ");
  const characters = [...line];
  return characters.length <= lengthMax ? line : `${characters.slice(0, lengthMax - 1).join("")}…`;
}
