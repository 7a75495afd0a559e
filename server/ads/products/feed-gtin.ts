const LENGTHS = new Set([8, 12, 13, 14]);
/** Prefixes of GTIN-13 that shops assign within their own premises, or that belong to coupons. */
const NOT_AN_ARTICLE = /^(?:0[245]|2|98[1-4]|99)/;
/** The same for GTIN-8, which begins at the seventh of 14 digits; zeros alone are a placeholder. */
const NOT_AN_ARTICLE_8 = /^0{6}[02]/;

/**
 * Converts a GTIN-8, UPC, EAN or GTIN-14 to 14 digits, so that equal articles have equal numbers; spaces and hyphens are
 * ignored. Returns undefined if the check digit is wrong or the number does not identify an article everywhere.
 */
export function parseGtin(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, "");
  if (!LENGTHS.has(digits.length) || !/^\d+$/.test(digits)) return undefined;
  const gtin = digits.padStart(14, "0");
  if (NOT_AN_ARTICLE.test(gtin.slice(1)) || NOT_AN_ARTICLE_8.test(gtin)) return undefined;
  return isChecked(gtin) ? gtin : undefined;
}

/** Every digit counts three times or once in turn, and the sum with the check digit is a multiple of ten. */
const isChecked = (gtin: string): boolean =>
  [...gtin].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 3 : 1), 0) % 10 === 0;
