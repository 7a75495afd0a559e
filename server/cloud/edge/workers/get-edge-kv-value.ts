import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import type { EdgeCtx } from "./edge-ctx";
import { getKv } from "./kv.sql";
import { KvEntry, kvEntryExample, kvPlaceOf, noSuchKey, toKvEntry } from "./kv-entry";
import { keyOf, kvKeyChoice } from "./kv-key";

/** Returns the value of a key. Throws `not_found`, also for one that has expired. */
export const getEdgeKvValue = operation({
  id: "getEdgeKvValue",
  summary: "Get the value of a key of a KV namespace",
  access: "edge:read",
  input: z.strictObject(kvKeyChoice),
  output: KvEntry,
  example: { input: { namespace: "cache", key: kvEntryExample.key }, output: kvEntryExample },
  run: async (ctx: ActorCtx & Pick<EdgeCtx, "sql">, asked) => {
    const { key: _key, key_encoding: _encoding, ...choice } = asked;
    const key = keyOf(asked);
    const found = await getKv(ctx.sql, await kvPlaceOf(ctx, choice), key);
    if (!found) throw noSuchKey(key);
    return toKvEntry(key, found);
  },
});
