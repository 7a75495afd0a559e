import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import type { EdgeCtx } from "./edge-ctx";
import { deleteKv } from "./kv.sql";
import { kvEntryExample, kvPlaceOf, noSuchKey } from "./kv-entry";
import { keyOf, kvKeyChoice } from "./kv-key";

/** Deletes a key with its value. Throws `not_found`. */
export const deleteEdgeKvKey = operation({
  id: "deleteEdgeKvKey",
  summary: "Delete a key of a KV namespace",
  access: "edge:write",
  input: z.strictObject(kvKeyChoice),
  output: z.void(),
  example: { input: { namespace: "cache", key: kvEntryExample.key }, output: undefined },
  run: async (ctx: ActorCtx & Pick<EdgeCtx, "sql">, asked) => {
    const { key: _key, key_encoding: _encoding, ...choice } = asked;
    const key = keyOf(asked);
    if (!(await deleteKv(ctx.sql, await kvPlaceOf(ctx, choice), key))) throw noSuchKey(key);
  },
});
