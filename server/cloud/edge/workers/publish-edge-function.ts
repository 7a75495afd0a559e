import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import type { CodeEnv } from "../../compute/workers/code-env";
import { requireReveal } from "../../compute/workers/require-reveal";
import { requireBindingScopes } from "./check-bindings";
import type { EdgeCtx } from "./edge-ctx";
import { type Binding, edgeChoice } from "./edge-fields";
import { EdgeFunction, toEdgeFunction } from "./edge-function";
import { edgeExample, publishedExample } from "./edge-function.example";
import { findEdgeFunction, lockEdgeFunction } from "./find-edge-function";
import { serveEdgeVersion } from "./serve-edge-version";
import type { SmokeRun } from "./smoke-run";

/**
 * Makes the draft the version that serves. Throws `not_found`, `conflict` (reason `not_the_draft`), `forbidden` for a
 * binding or a secret that the caller may not use, `unavailable` (reason `no_edge_domain`), and `unprocessable` (reason
 * `smoke_failed`) for a draft that failed when it was tried.
 */
export const publishEdgeFunction = operation({
  id: "publishEdgeFunction",
  summary: "Publish the draft of an edge function",
  description:
    "Every request that arrives after the response gets the new version, in all processes. A draft whose smoke run failed is `unprocessable`, and the published version serves as before. Publishing the version that serves changes nothing.",
  access: "edge:write",
  stores: true,
  input: z.strictObject({
    ...edgeChoice,
    version: z
      .int()
      .min(1)
      .optional()
      .describe(
        "The draft that is meant, by its number; with another newest version the response is 409. Default: the draft",
      ),
  }),
  output: EdgeFunction,
  example: { input: { id: edgeExample.id }, output: publishedExample },
  run: async (ctx: ActorCtx & Pick<EdgeCtx, "edge">, { id: asked, version: meant }) => {
    const { id } = await findEdgeFunction(ctx, asked);
    return ctx.db.$transaction(async (tx) => {
      const before = await lockEdgeFunction(tx, id);
      const { version, publishedVersion } = before;
      requireBindingScopes(ctx, before.bindings as Binding[]);
      requireReveal(ctx.actor, before.env as CodeEnv);
      if (meant !== undefined && meant !== version) throw notTheDraft(version);
      if (publishedVersion === version) return toEdgeFunction(ctx, before);
      refuseFailed(before.smoke as SmokeRun);
      if (ctx.edge.urlOf(before.slug) === null) throw noDomain();
      return serveEdgeVersion(tx, ctx, { before, version });
    });
  },
});

function refuseFailed({ outcome, error }: SmokeRun): void {
  if (outcome !== "failed") return;
  const why = error ? ` (${error.reason}: ${error.message})` : "";
  throw new ServiceError(
    "unprocessable",
    `The draft failed when it was tried with GET /${why}. Update the code so that it returns a response, of any status.`,
    { details: { reason: "smoke_failed" } },
  );
}

const noDomain = (): ServiceError =>
  new ServiceError(
    "unavailable",
    "This installation has no domain for edge functions: its operator sets EDGE_DOMAIN.",
    {
      details: { reason: "no_edge_domain" },
    },
  );

const notTheDraft = (version: number): ServiceError =>
  new ServiceError("conflict", `version: the draft is version ${version} now.`, {
    param: "version",
    details: { reason: "not_the_draft" },
  });
