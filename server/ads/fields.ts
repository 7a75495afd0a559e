import { z } from "zod";
import { ModeName, Moment } from "../identity/wire-text";
import { isCurrency, isHttpUrl, isStorable } from "./field-checks";

const URL_LENGTH_MAX = 2000;
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/;

/** Text that Postgres can store; every other string field of `/v1/ads` is built on it. */
const storable = z.string().refine(isStorable, "expected text without NUL characters or broken surrogate pairs");

/** Text of 1 to `max` characters after surrounding whitespace is removed. */
export const text = (max: number) =>
  storable.trim().min(1, "expected at least one character").max(max, `expected at most ${max} characters`);

export const name = text(200);

/** An id in a path, a query or a body. Any string is valid; an id that does not exist results in `not_found`. */
export const id = storable.min(1).max(200);

/** A link that a browser may follow; stored unchanged. */
export const httpUrl = storable
  .trim()
  .max(URL_LENGTH_MAX, `expected at most ${URL_LENGTH_MAX} characters`)
  .refine((value) => isHttpUrl(value), "expected an absolute http or https URL without credentials")
  .meta({ format: "uri" });

/** Browsers block images over plain http in https pages. */
export const httpsUrl = httpUrl
  .refine((value) => /^https:/i.test(value), "expected an https URL")
  .meta({ format: "uri" });

export const domain = storable
  .trim()
  .toLowerCase()
  .regex(DOMAIN, "expected a domain name such as example.com, without scheme or path");

/** A path with levels joined by ">", such as `Electronics>Laptops`; spaces around each level are removed. */
export const category = text(200)
  .transform((path) =>
    path
      .split(">")
      .map((level) => level.trim())
      .join(">"),
  )
  .refine((path) => path.split(">").every(Boolean), 'expected levels joined by ">", none of them empty')
  .describe("A path with levels joined by `>`, such as `Electronics>Laptops`");

/** A list of at most `max` items; duplicates are removed. */
export const setOf = <T extends z.ZodType<string>>(item: T, max: number) =>
  z
    .array(item)
    .max(max, `expected at most ${max} items`)
    .transform((items) => [...new Set(items)]);

export const currencyCode = storable
  .trim()
  .toUpperCase()
  .refine(isCurrency, "expected an ISO 4217 currency code such as USD");

export const moment = Moment;

export const mode = ModeName;
export const modeChoice = mode
  .optional()
  .describe("The mode to use with a session (default: test); a key always uses its own mode");
