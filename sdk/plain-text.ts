const READ_MAX = 2_000;

const QUOTES = /["“”„‟‘’‚‛′‵«»‹›ʺˮ]/g;
/** All but letters, digits, currency signs and the punctuation of prose: no brackets that make markup, no symbols. */
const MARKUP = /[^\p{L}\p{M}\p{N}\p{Sc}\s.,:;!?'%&/+()#@°®×–—¿¡、。・،؟؛٫٬।-]/gu;
/** Zero-width and bidirectional characters, variation selectors, tags, fillers. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** The letters that Unicode (confusables.txt of UTS 39) takes for angle brackets. */
const LIKE_BRACKETS = /[\u1433\u1438\u16b2\u{16f3f}]/gu;
/** Marks without end pile up over a letter; no script needs more than three. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;
const LINK = /\/\/|^\W*www\.|(javascript|vbscript|data|file|blob|mailto|tel):\S/i;

/**
 * Foreign text as one line of plain words of at most `lengthMax` characters: compatibility forms brought to their plain
 * ones (NFKC), no markup, no control or unseen characters, no addresses. It holds none of ``< > [ ] { } " ` \ | * _ ~``
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
    .replace(UNSEEN, "")
    .replace(LIKE_BRACKETS, " ")
    .replace(PILED_MARKS, "$1")
    .split(/\s+/)
    .filter((word) => word !== "" && !LINK.test(word))
    .join(" ");
  const characters = [...line];
  return characters.length <= lengthMax ? line : `${characters.slice(0, lengthMax - 1).join("")}…`;
}
