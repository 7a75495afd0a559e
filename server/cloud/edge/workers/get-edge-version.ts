import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { edgeChoice } from "./edge-fields";
import { EXAMPLE_EDGE_CODE, edgeExample, edgeVersionExample } from "./edge-function.example";
import { EdgeVersionWithCode, noSuchEdgeVersion, toEdgeVersion } from "./edge-version";
import { findEdgeFunction } from "./find-edge-function";

/** Returns a version with its code. Throws `not_found` for the edge function and the version. */
export const getEdgeVersion = operation({
  id: "getEdgeVersion",
  summary: "Get a version of an edge function, with its code",
  access: "edge:read",
  input: z.strictObject({
    ...edgeChoice,
    version: z.coerce.number().int().min(1).describe("The number of the version"),
  }),
  output: EdgeVersionWithCode,
  example: {
    input: { id: edgeExample.id, version: 1 },
    output: { ...edgeVersionExample, code: EXAMPLE_EDGE_CODE },
  },
  run: async (ctx: ActorCtx, { id, version }) => {
    const { id: edgeId } = await findEdgeFunction(ctx, id);
    const row = await ctx.db.edgeVersion.findUnique({ where: { edgeId_number: { edgeId, number: version } } });
    if (!row) throw noSuchEdgeVersion(version);
    return { ...toEdgeVersion({ ...row, codeBytes: Buffer.byteLength(row.code) }), code: row.code };
  },
});
