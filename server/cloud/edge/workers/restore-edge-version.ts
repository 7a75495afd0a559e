import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import type { CodeEnv } from "../../compute/workers/code-env";
import { requireReveal } from "../../compute/workers/require-reveal";
import { requireBindingScopes } from "./check-bindings";
import type { EdgeCtx } from "./edge-ctx";
import { type Binding, edgeChoice } from "./edge-fields";
import { EdgeFunction, toEdgeFunction } from "./edge-function";
import { edgeExample, publishedExample } from "./edge-function.example";
import { noSuchEdgeVersion } from "./edge-version";
import { findEdgeFunction, lockEdgeFunction } from "./find-edge-function";
import { serveEdgeVersion } from "./serve-edge-version";

/**
 * Makes an earlier version the one that serves. Throws `not_found` for the edge function and the version, and
 * `forbidden` for a binding or a secret that the caller may not use.
 */
export const restoreEdgeVersion = operation({
  id: "restoreEdgeVersion",
  summary: "Roll back an edge function to an earlier version",
  description:
    "Every request that arrives after the response gets that version, with the bindings and variables it had. The draft stays as it is.",
  access: "edge:write",
  stores: true,
  input: z.strictObject({
    ...edgeChoice,
    version: z.int().min(1).describe("The number of a version that is kept"),
  }),
  output: EdgeFunction,
  example: { input: { id: edgeExample.id, version: 1 }, output: publishedExample },
  run: async (ctx: ActorCtx & Pick<EdgeCtx, "edge">, { id: asked, version }) => {
    const { id } = await findEdgeFunction(ctx, asked);
    return ctx.db.$transaction(async (tx) => {
      const before = await lockEdgeFunction(tx, id);
      const where = { edgeId_number: { edgeId: id, number: version } };
      const kept = await tx.edgeVersion.findUnique({ where, select: { bindings: true, env: true } });
      if (!kept) throw noSuchEdgeVersion(version);
      requireBindingScopes(ctx, kept.bindings as Binding[]);
      requireReveal(ctx.actor, kept.env as CodeEnv);
      if (before.publishedVersion === version) return toEdgeFunction(ctx, before);
      return serveEdgeVersion(tx, ctx, { before, version });
    });
  },
});
