import { z } from "zod";
import { PACKED_TIERS } from "../../../engines/objects/blob-tiers";
import { isColder } from "../objects/tiers";

const RULES_MAX = 100;
const ENTRIES_MAX = 100;
const KEY_BYTES_MAX = 1024;
const DAYS_MAX = 36_500;

const isShort = (text: string): boolean => Buffer.byteLength(text) <= KEY_BYTES_MAX && !text.includes("\0");

/** A prefix of keys: at most 1,024 bytes, as the keys themselves. */
export const KeyPrefix = z.string().max(KEY_BYTES_MAX).refine(isShort, "expected at most 1,024 bytes without NUL");

const hasOneStar = (text: string): boolean => text.split("*").length <= 2;
const isPrintable = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

const Origin = z
  .string()
  .max(255)
  .refine(isPrintable, "expected an origin such as https://app.example, without spaces")
  .refine(hasOneStar, "expected at most one *");
const HeaderName = z
  .string()
  .max(255)
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, "expected the name of a header")
  .refine(hasOneStar, "expected at most one *");

const CorsRule = z.strictObject({
  allowed_origins: z
    .array(Origin)
    .min(1)
    .max(ENTRIES_MAX)
    .describe("Origins that may call, each with at most one `*`, such as `https://*.example.com`"),
  allowed_methods: z
    .array(z.enum(["GET", "HEAD", "PUT", "POST", "DELETE"]))
    .min(1)
    .max(5),
  allowed_headers: z
    .array(HeaderName)
    .max(ENTRIES_MAX)
    .default([])
    .describe("Headers that a request may have; `*`: any"),
  expose_headers: z
    .array(HeaderName)
    .max(ENTRIES_MAX)
    .default([])
    .describe("Headers that scripts may read, such as `ETag`"),
  max_age_seconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(0)
    .describe("How long a browser may cache the preflight response"),
});

export const CorsRules = z
  .array(CorsRule)
  .max(RULES_MAX)
  .describe(
    "Which pages of other origins may call the S3 endpoint for this bucket; the first rule that matches applies",
  );

export const BucketTags = z
  .array(z.strictObject({ key: z.string().min(1).max(128), value: z.string().max(256) }))
  .max(50)
  .refine((tags) => new Set(tags.map(({ key }) => key)).size === tags.length, "expected different keys of tags")
  .describe("Labels of your own, in the order in which they were sent; svc does not act on them");

const Days = z.int().min(1).max(DAYS_MAX);

const Transition = z.strictObject({ days: Days, tier: z.enum(PACKED_TIERS) });

/** Each class only after a warmer one. */
const isDownwards = (transitions: readonly z.output<typeof Transition>[]): boolean =>
  transitions.every(({ days, tier }, i) => {
    const before = transitions[i - 1];
    return !before || (days > before.days && isColder(tier, before.tier));
  });

const Transitions = z
  .array(Transition)
  .min(1)
  .max(PACKED_TIERS.length)
  .refine(isDownwards, "expected more days in each than in the one before it, and a colder tier: warm, cold, archive")
  .describe(
    "Moves every version to another storage class this many days after it was stored: `warm`, `cold` or `archive`, only downwards",
  );

const LifecycleRule = z
  .strictObject({
    id: z.string().regex(/^[\x20-\x7e]{1,255}$/, "expected 1 to 255 printable ASCII characters"),
    prefix: KeyPrefix.default("").describe("The rule applies to keys with this prefix; empty: to all"),
    legacy_prefix: z
      .boolean()
      .optional()
      .describe("An S3 client sent the prefix outside of a Filter, as older ones do, and is shown it there"),
    expire_days: Days.optional().describe("Deletes objects this many days after they were stored"),
    expire_noncurrent_days: Days.optional().describe("Deletes older versions this many days after they were replaced"),
    abort_upload_days: Days.optional().describe("Aborts multipart uploads this many days after they were started"),
    transitions: Transitions.optional(),
    enabled: z.boolean().default(true),
  })
  .refine(
    (rule) =>
      rule.expire_days !== undefined ||
      rule.expire_noncurrent_days !== undefined ||
      rule.abort_upload_days !== undefined ||
      rule.transitions !== undefined,
    "expected one of expire_days, expire_noncurrent_days, abort_upload_days and transitions",
  )
  .refine(({ expire_days, transitions }) => expire_days === undefined || expire_days > lastDaysOf(transitions), {
    error: "expected more days than its transitions have, which otherwise never apply",
    path: ["expire_days"],
  });

const lastDaysOf = (transitions: z.output<typeof Transitions> | undefined): number => transitions?.at(-1)?.days ?? 0;

export const LifecycleRules = z
  .array(LifecycleRule)
  .max(RULES_MAX)
  .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length, "expected different ids of rules")
  .describe(
    "What is deleted by age, or moved to another storage class. Days end at the next midnight (UTC); rules are checked once an hour",
  );
