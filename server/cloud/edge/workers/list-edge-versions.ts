import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { edgeVersionsOf } from "./edge.sql";
import type { EdgeCtx } from "./edge-ctx";
import { edgeChoice } from "./edge-fields";
import { edgeExample, edgeVersionExample } from "./edge-function.example";
import { EdgeVersion, toEdgeVersion } from "./edge-version";
import { findEdgeFunction } from "./find-edge-function";

/** Lists the versions of an edge function that are kept, newest first, on one page. Throws `not_found`. */
export const listEdgeVersions = operation({
  id: "listEdgeVersions",
  summary: "List the versions of an edge function",
  access: "edge:read",
  input: z.strictObject(edgeChoice),
  output: pageOf(EdgeVersion),
  example: { input: { id: edgeExample.id }, output: examplePage(edgeVersionExample) },
  run: async (ctx: ActorCtx & Pick<EdgeCtx, "sql">, { id }) => {
    const edge = await findEdgeFunction(ctx, id);
    return { data: (await edgeVersionsOf(ctx.sql, edge.id)).map(toEdgeVersion), next_cursor: null };
  },
});
