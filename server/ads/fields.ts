import { z } from "zod";

const NUL_OR_LONE_SURROGATE = /[\0\p{Surrogate}]/u;
const URL_LENGTH_MAX = 2000;
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** Whether Postgres can keep `value`: its text holds no NUL, its jsonb no half of a surrogate pair. */
export const isStorable = (value: string): boolean => !NUL_OR_LONE_SURROGATE.test(value);

/** Any text that reaches Postgres; every other string piece of `/v1/ads` is built on it. */
const storable = z.string().refine(isStorable, "expected text without NUL characters or broken surrogate pairs");

/** Text that still means something once spaces around it are gone, 1 to `max` characters. */
export const text = (max: number) =>
  storable.trim().min(1, "expected at least one character").max(max, `expected at most ${max} characters`);

export const name = text(200);

/** An id in a path, a query or a body; one that nothing bears is `not_found`, whatever it looks like. */
export const id = storable.min(1).max(200);

/** A link that a browser may follow; kept as it was written. */
export const httpUrl = storable
  .trim()
  .max(URL_LENGTH_MAX, `expected at most ${URL_LENGTH_MAX} characters`)
  .refine((value) => isHttpUrl(value), "expected an absolute http or https URL without a user name in it")
  .meta({ format: "uri" });

/** Images load inside https pages, where a browser refuses plain http. */
export const httpsUrl = httpUrl
  .refine((value) => /^https:/i.test(value), "expected an https URL")
  .meta({ format: "uri" });

/** Whether `value` is an absolute http(s) URL; credentials in it are refused because browsers warn about them. */
export function isHttpUrl(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || /\s/.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}

export const domain = storable
  .trim()
  .toLowerCase()
  .regex(DOMAIN, "expected a domain name such as example.com, without scheme or path");

/** A path of levels joined by ">", spaces around each level dropped: `Electronics>Laptops`. */
export const category = text(200)
  .transform((path) =>
    path
      .split(">")
      .map((level) => level.trim())
      .join(">"),
  )
  .refine((path) => path.split(">").every(Boolean), 'expected levels joined by ">", none of them empty')
  .describe("A path with levels joined by `>`, such as `Electronics>Laptops`");

/** At most `max` items, repeated ones kept once. */
export const setOf = <T extends z.ZodType<string>>(item: T, max: number) =>
  z
    .array(item)
    .max(max, `expected at most ${max} items`)
    .transform((items) => [...new Set(items)]);

export const currencyCode = storable
  .trim()
  .toUpperCase()
  .refine(isCurrency, "expected an ISO 4217 currency code such as USD");

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** A moment in ISO 8601 with an offset; in the code a Date. */
export const moment = z.iso
  .datetime({ offset: true, error: "expected a time such as 2026-11-20T08:00:00Z, with an offset" })
  .transform((value) => new Date(value));

export const mode = z.enum(["test", "live"]);
export const modeChoice = mode
  .optional()
  .describe("Which mode a person acts in (default test); a key always acts in its own");
