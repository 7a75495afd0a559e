// Separate from fields.ts so that the feed worker thread does not load zod.

const NUL_OR_LONE_SURROGATE = /[\0\p{Surrogate}]/u;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/**
 * Returns whether Postgres can store `value`: its text type rejects NUL, and its jsonb type rejects lone surrogates.
 */
export const isStorable = (value: string): boolean => !NUL_OR_LONE_SURROGATE.test(value);

/**
 * Returns whether `value` is an absolute http(s) URL. URLs with credentials are rejected because browsers warn about
 * them.
 */
export function isHttpUrl(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || /\s/.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}

/** Returns whether `code` is an ISO 4217 currency code in upper case. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}
