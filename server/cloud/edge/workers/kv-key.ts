import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { ServiceError } from "../../../kernel/errors";
import { KvNamespaceName } from "./edge-fields";

const KEY_BYTES_MAX = 512;
const SECOND_MS = 1000;
export const KV_KEYS_MAX = 1000;
/** 9999-12-31, which every clock can show. */
const EXPIRATION_MAX = 253_402_214_400;
const TTL_SECONDS_MIN = 60;

export const KvKey = z
  .string()
  .min(1, "expected a key")
  .refine(
    (key) => Buffer.byteLength(key) <= KEY_BYTES_MAX && !key.includes("\0") && key.isWellFormed(),
    "expected at most 512 bytes of UTF-8 without NUL",
  );

export const KvPrefix = z
  .string()
  .max(KEY_BYTES_MAX)
  .refine((text) => !text.includes("\0") && text.isWellFormed(), "expected UTF-8 without NUL")
  .default("");

/** When an entry ends: in seconds from now, or as seconds since 1970. */
export const kvExpiry = {
  ttl: z.int().min(TTL_SECONDS_MIN).max(EXPIRATION_MAX),
  expiration: z.int().min(0).max(EXPIRATION_MAX),
};

/** The time at which an entry ends that is stored now; null: never. */
export function expiryOf(
  now: Date,
  { ttl, expiration }: { ttl?: number | undefined; expiration?: number | undefined },
): Date | null {
  const seconds = ttl === undefined ? expiration : now.getTime() / SECOND_MS + ttl;
  return seconds === undefined ? null : new Date(Math.min(seconds, EXPIRATION_MAX) * SECOND_MS);
}

/** In seconds since 1970. */
export const secondsOf = (time: Date): number => Math.floor(time.getTime() / SECOND_MS);

/** The part of a path that names a KV namespace, and whose it is. */
export const kvNamespaceChoice = {
  namespace: KvNamespaceName.describe("The KV namespace, as bindings name it"),
  ...ownerFields,
};

/** In base64url a key has a third more characters. */
const KEY_CHARACTERS_MAX = 700;

export const kvKeyChoice = {
  ...kvNamespaceChoice,
  key: z
    .string()
    .min(1, "expected a key")
    .max(KEY_CHARACTERS_MAX)
    .describe("The key, percent-encoded in the path, or as `key_encoding` says"),
  key_encoding: z
    .enum(["utf8", "base64url"])
    .default("utf8")
    .describe(
      "How `key` is written; default `utf8`. With `base64url` (RFC 4648, without padding) every key can be in a path: clients remove `.` and `..`, and some proxies change `%2F`",
    ),
};

/** The key that a request names. Throws `invalid_request`. */
export function keyOf({ key, key_encoding: encoding }: { key: string; key_encoding: "utf8" | "base64url" }): string {
  const bytes = Buffer.from(key, encoding);
  if (bytes.toString(encoding) !== key || !isUtf8(bytes))
    throw invalidKey(`expected ${encoding === "utf8" ? "UTF-8" : "UTF-8 in base64url without padding"}`);
  const parsed = KvKey.safeParse(bytes.toString("utf8"));
  if (!parsed.success) throw invalidKey(parsed.error.issues[0]?.message ?? "expected a key");
  return parsed.data;
}

const invalidKey = (why: string): ServiceError => new ServiceError("invalid_request", `key: ${why}.`, { param: "key" });
