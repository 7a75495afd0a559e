import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { listScope } from "../../../identity/list-scope";
import { openCursor, sealCursor } from "../../../kernel/cursor";
import { PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import type { EdgeCtx } from "./edge-ctx";
import { hasKvNamespace, listKv } from "./kv.sql";
import { KvKeyRecord, kvKeyExample, kvPlaceOf, noSuchNamespace } from "./kv-entry";
import { KvPrefix, kvNamespaceChoice } from "./kv-key";

/** Lists the keys of a KV namespace in the order of their bytes. Throws `not_found`. */
export const listEdgeKvKeys = operation({
  id: "listEdgeKvKeys",
  summary: "List the keys of a KV namespace",
  description: "The keys are in the order of their UTF-8 bytes; those that have expired are left out.",
  access: "edge:read",
  input: z.strictObject({
    ...kvNamespaceChoice,
    ...PageQuery.shape,
    prefix: KvPrefix.describe("Only keys that begin with it"),
  }),
  output: pageOf(KvKeyRecord),
  example: { input: { namespace: "cache", prefix: "user/" }, output: examplePage(kvKeyExample) },
  run: async (ctx: ActorCtx & Pick<EdgeCtx, "sql">, { prefix, cursor, limit, ...choice }) => {
    const owner = await kvPlaceOf(ctx, choice);
    const { projectId, mode, namespace } = owner;
    if (!(await hasKvNamespace(ctx.sql, owner))) throw noSuchNamespace(namespace);
    const scope = listScope(ctx, "edge_kv_keys", { projectId, mode, namespace, prefix });
    const after = cursor === undefined ? "" : openCursor(scope, cursor);
    const keys = await listKv(ctx.sql, owner, { prefix, after, max: limit + 1 });
    const page = keys.slice(0, limit);
    const last = page.at(-1);
    return {
      data: page.map(({ key, expiresAt }) => ({ key, expires_at: expiresAt?.toISOString() ?? null })),
      next_cursor: keys.length > limit && last ? sealCursor(scope, last.key) : null,
    };
  },
});
