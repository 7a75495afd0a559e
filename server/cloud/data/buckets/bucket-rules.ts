import { z } from "zod";

/** Of each kind in a bucket. */
export const RULES_MAX = 100;
const ENTRIES_MAX = 100;
const KEY_BYTES_MAX = 1024;

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
