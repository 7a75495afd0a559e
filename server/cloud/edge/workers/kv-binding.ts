import { z } from "zod";
import { openCursor, sealCursor } from "../../../kernel/cursor";
import { type BindingCtx, type BindingMethods, CursorText, cursorScope } from "./binding-methods";
import type { Binding } from "./edge-fields";
import { deleteKv, getKv, listKv, putKv } from "./kv.sql";
import { expiryOf, KV_KEYS_MAX, KvKey, KvPrefix, kvExpiry, secondsOf } from "./kv-key";

const One = z.strictObject({ key: KvKey });
const Put = z.strictObject({
  key: KvKey,
  expirationTtl: kvExpiry.ttl.optional(),
  expiration: kvExpiry.expiration.optional(),
});
const List = z.strictObject({
  prefix: KvPrefix,
  limit: z.int().min(1).max(KV_KEYS_MAX).default(KV_KEYS_MAX),
  cursor: CursorText,
});

/** A namespace exists from its first `put`. */
export function kvMethods(ctx: BindingCtx, { namespace }: Extract<Binding, { type: "kv" }>): BindingMethods {
  const { sql, clock } = ctx;
  const at = () => ({ ...ctx.owner, namespace, now: clock.now() });
  return {
    get: async ({ args }) => {
      const found = await getKv(sql, at(), One.parse(args).key);
      return found ? { result: true, body: found.value } : { result: false };
    },
    put: async ({ args, body: value }, { isSmokeRun }) => {
      const { key, expirationTtl: ttl, expiration } = Put.parse(args);
      ctx.space?.assertRoom();
      const owner = at();
      const expiresAt = expiryOf(owner.now, { ttl, expiration });
      await ctx.storedBytes.assertRoom(owner.tenantId, value.length);
      const added = await putKv(sql, owner, { key, value, expiresAt, isSmokeRun });
      ctx.storedBytes.count(owner.tenantId, "kv", added);
      return {};
    },
    delete: async ({ args }, { isSmokeRun }) => {
      const { key } = One.parse(args);
      if (!isSmokeRun) await deleteKv(sql, at(), key);
      return {};
    },
    list: async ({ args }) => {
      const { prefix, limit, cursor } = List.parse(args);
      const scope = cursorScope(ctx, ["kv", namespace, prefix]);
      const after = cursor === undefined ? "" : openCursor(scope, cursor);
      const keys = await listKv(sql, at(), { prefix, after, max: limit + 1 });
      const page = keys.slice(0, limit);
      const isComplete = keys.length <= limit;
      const shown = page.map(({ key: name, expiresAt }) =>
        expiresAt ? { name, expiration: secondsOf(expiresAt) } : { name },
      );
      const last = page.at(-1);
      const next = isComplete || !last ? null : sealCursor(scope, last.key);
      return { result: { keys: shown, list_complete: isComplete, cursor: next } };
    },
  };
}
