import { z } from "zod";
import type { BindingCtx, BindingMethods } from "./binding-methods";
import type { Binding } from "./edge-fields";
import { deleteKv, getKv, listKv, putKv } from "./kv.sql";

const KEY_BYTES_MAX = 512;
const KEYS_MAX = 1000;
const TTL_SECONDS_MIN = 60;
const SECOND_MS = 1000;
/** 9999-12-31, which every clock can show. */
const EXPIRATION_MAX = 253_402_214_400;

const Key = z
  .string()
  .min(1, "expected a key")
  .refine(
    (key) => Buffer.byteLength(key) <= KEY_BYTES_MAX && !key.includes("\0") && key.isWellFormed(),
    "expected at most 512 bytes of UTF-8 without NUL",
  );
const One = z.strictObject({ key: Key });
const Put = z.strictObject({
  key: Key,
  expirationTtl: z.int().min(TTL_SECONDS_MIN).max(EXPIRATION_MAX).optional(),
  expiration: z.int().min(0).max(EXPIRATION_MAX).optional(),
});
const List = z.strictObject({
  prefix: z
    .string()
    .max(KEY_BYTES_MAX)
    .refine((text) => !text.includes("\0"))
    .default(""),
  limit: z.int().min(1).max(KEYS_MAX).default(KEYS_MAX),
  cursor: Key.optional(),
});

/** A namespace exists from its first `put`. */
export function kvMethods(ctx: BindingCtx, { namespace }: Extract<Binding, { type: "kv" }>): BindingMethods {
  const { sql, clock } = ctx;
  const at = () => ({ ...ctx.place, namespace, now: clock.now() });
  return {
    get: async ({ args }) => {
      const value = await getKv(sql, at(), One.parse(args).key);
      return value ? { result: true, body: value } : { result: false };
    },
    put: async ({ args, body: value }, { isSmokeRun }) => {
      const { key, expirationTtl, expiration } = Put.parse(args);
      const place = at();
      const seconds = expirationTtl === undefined ? expiration : place.now.getTime() / SECOND_MS + expirationTtl;
      const expiresAt = seconds === undefined ? null : new Date(Math.min(seconds, EXPIRATION_MAX) * SECOND_MS);
      await putKv(sql, place, { key, value, expiresAt, isSmokeRun });
      return {};
    },
    delete: async ({ args }, { isSmokeRun }) => {
      const { key } = One.parse(args);
      if (!isSmokeRun) await deleteKv(sql, at(), key);
      return {};
    },
    list: async ({ args }) => {
      const { prefix, limit, cursor: after = "" } = List.parse(args);
      const keys = await listKv(sql, at(), { prefix, after, max: limit + 1 });
      const page = keys.slice(0, limit);
      const isComplete = keys.length <= limit;
      const shown = page.map(({ key: name, expiresAt }) =>
        expiresAt ? { name, expiration: Math.floor(expiresAt.getTime() / SECOND_MS) } : { name },
      );
      return { result: { keys: shown, list_complete: isComplete, cursor: isComplete ? null : page.at(-1)?.key } };
    },
  };
}
