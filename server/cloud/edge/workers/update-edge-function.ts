import { z } from "zod";
import type { EdgeFunction as EdgeRow, Prisma } from "../../../engines/postgres/generated/client";
import { recordUpdate } from "../../../identity/audit/record-update";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import type { CodeEnv } from "../../compute/workers/code-env";
import { requireReveal } from "../../compute/workers/require-reveal";
import { checkBindings, refuseSameNames } from "./check-bindings";
import { refuseTakenName } from "./create-edge-function";
import { edgeVersionCode } from "./edge.sql";
import type { EdgeCtx } from "./edge-ctx";
import { type Binding, EDGE_INPUT_LIMITS, edgeChoice, edgeFields, VERSIONS_KEPT } from "./edge-fields";
import { EdgeFunction, edgeTarget, toEdgeFunction } from "./edge-function";
import { edgeFunctionUpdated } from "./edge-function.events";
import { EXAMPLE_EDGE_CODE, edgeExample } from "./edge-function.example";
import type { EdgeProgram } from "./edge-runner";
import { findEdgeFunction, lockEdgeFunction } from "./find-edge-function";
import type { SmokeRun } from "./smoke-run";

export const UpdateEdgeFunction = z.strictObject({
  ...edgeChoice,
  name: edgeFields.name.optional(),
  code: edgeFields.code.optional(),
  bindings: edgeFields.bindings.optional(),
  env: edgeFields.env.optional(),
});
type UpdateEdgeFunction = z.output<typeof UpdateEdgeFunction>;

interface Draft extends EdgeProgram {
  smoke: SmokeRun;
}

/**
 * Stores code, bindings and variables as the next draft. Throws `not_found`, `unprocessable` (reason `load_failed`),
 * `forbidden` for a binding or a secret that the caller may not use, `conflict` (reason `name_taken`) and `unavailable`.
 */
export const updateEdgeFunction = operation({
  id: "updateEdgeFunction",
  summary: "Update the draft or the name of an edge function",
  description:
    "`code`, `bindings` and `env` become a new version, the draft, which is loaded and tried as a new function is; the published version serves as before until the draft is published. What is left out stays. The last 50 versions are kept. The host stays the same under another name.",
  access: "edge:write",
  inputLimits: EDGE_INPUT_LIMITS,
  input: UpdateEdgeFunction,
  output: EdgeFunction,
  example: { input: { id: edgeExample.id, code: EXAMPLE_EDGE_CODE }, output: { ...edgeExample, version: 2 } },
  run: async (ctx: EdgeCtx, input) => {
    const found = await findEdgeFunction(ctx, input.id);
    const draft = await draftOf(ctx, found, input);
    return ctx.db.$transaction(async (tx) => {
      const before = await lockEdgeFunction(tx, found.id);
      const { name = before.name } = input;
      if (name !== before.name) await refuseTakenName(tx, before, name);
      const changes = draft ? await storeDraft(tx, ctx, { before, draft }) : {};
      const row = await tx.edgeFunction.update({
        where: { id: found.id },
        data: { name, ...changes, updatedAt: ctx.clock.now() },
      });
      const [old, updated] = [toEdgeFunction(ctx, before), toEdgeFunction(ctx, row)];
      const { projectId, mode } = row;
      const event = (changed: string[]) => newEvent(edgeFunctionUpdated, { ...updated, changed }, { projectId, mode });
      const hidden = ["env", "smoke"] as const;
      await recordUpdate(tx, ctx, { target: edgeTarget(row), before: old, after: updated, hidden, event });
      return updated;
    });
  },
});

/** The next draft, tried; undefined if none of its parts is given. */
async function draftOf(
  ctx: EdgeCtx,
  found: EdgeRow,
  { code: givenCode, bindings: givenBindings, env: givenEnv }: UpdateEdgeFunction,
): Promise<Draft | undefined> {
  if ([givenCode, givenBindings, givenEnv].every((given) => given === undefined)) return undefined;
  const bindings = givenBindings ?? (found.bindings as Binding[]);
  const env = givenEnv ?? (found.env as CodeEnv);
  requireReveal(ctx.actor, env);
  refuseSameNames(bindings, env);
  await checkBindings(ctx, found, bindings);
  const code = givenCode ?? (await edgeVersionCode(ctx.sql, { edgeId: found.id, version: found.version }));
  await ctx.storedBytes.take(found.tenantId, "functions", Buffer.byteLength(code));
  const program = { code, bindings, env };
  return { ...program, smoke: await ctx.edge.smokeRun(found, program) };
}

async function storeDraft(
  tx: Prisma.TransactionClient,
  { clock }: ActorCtx,
  { before: { id: edgeId, version, publishedVersion }, draft }: { before: EdgeRow; draft: Draft },
) {
  const number = version + 1;
  const { code, env, smoke } = draft;
  const kept = { bindings: [...draft.bindings], env, smoke };
  await tx.edgeVersion.create({ data: { edgeId, number, code, ...kept, createdAt: clock.now() } });
  await tx.edgeVersion.deleteMany({
    where: { edgeId, number: { lte: number - VERSIONS_KEPT, ...(publishedVersion && { not: publishedVersion }) } },
  });
  return { version: number, ...kept };
}
