import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFields } from "../../../identity/owner-fields";
import { findProject } from "../../../identity/projects/find-project";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { ServiceError } from "../../../kernel/errors";
import { newId, randomBase32 } from "../../../kernel/ids";
import type { Owner } from "../../../operation/actor";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { requireReveal } from "../../compute/workers/require-reveal";
import { checkBindings, refuseSameNames } from "./check-bindings";
import type { EdgeCtx } from "./edge-ctx";
import { EDGE_INPUT_LIMITS, edgeFields } from "./edge-fields";
import { EDGE_ID_PREFIX, EdgeFunction, edgeTarget, toEdgeFunction } from "./edge-function";
import { edgeFunctionCreated, recorded } from "./edge-function.events";
import { EXAMPLE_EDGE_CODE, edgeExample } from "./edge-function.example";
import type { SmokeRun } from "./smoke-run";
import { EDGE_QUOTAS } from "./workers.quotas";

/** Together with the name it has at most 63 characters, as labels of hosts do. */
const SLUG_NAME_MAX = 40;
const SLUG_RANDOM = 10;

export const CreateEdgeFunction = z.strictObject({
  name: edgeFields.name,
  code: edgeFields.code,
  bindings: edgeFields.bindings.default([]),
  env: edgeFields.env.default({}),
  ...ownerFields,
});
type CreateEdgeFunction = z.output<typeof CreateEdgeFunction>;

/**
 * Creates an edge function, whose first version is a draft. Throws `not_found` for the project and what bindings name,
 * `unprocessable` (reason `load_failed`) for code that does not load, `forbidden` for a binding or a secret that the
 * caller may not use, `conflict` (`name_taken`), `quota_exceeded` and `unavailable`.
 */
export const createEdgeFunction = operation({
  id: "createEdgeFunction",
  summary: "Create an edge function, as a draft",
  description:
    "An edge function responds to the HTTP requests of a host of its own: a JavaScript module whose default export is an object with `fetch(request, env, ctx)`. The draft is loaded and tried with `GET /`: code that does not load is `unprocessable`, with the line, and `smoke` says how the draft responded. Its host responds when it is published.",
  access: "edge:write",
  stores: true,
  idempotent: true,
  result: "created",
  quota: EDGE_QUOTAS.edge_functions,
  inputLimits: EDGE_INPUT_LIMITS,
  input: CreateEdgeFunction,
  output: EdgeFunction,
  example: { input: { name: edgeExample.name, code: EXAMPLE_EDGE_CODE }, output: edgeExample },
  prepare: (ctx: EdgeCtx, input) => tryDraft(ctx, input),
  run: async (ctx: EdgeCtx, input, options) => {
    const { actor, db } = ctx;
    const { owner, smoke } = options?.prepared ?? (await tryDraft(ctx, input));
    return db.$transaction(async (tx) => {
      await assertQuota(tx, { tenantId: actor.tenantId }, EDGE_QUOTAS.edge_functions);
      await refuseTakenName(tx, owner, input.name);
      const row = await tx.edgeFunction.create({ data: rowOf(ctx, owner, { ...input, smoke }) });
      const created = toEdgeFunction(ctx, row);
      const details = recorded(created);
      const events = [newEvent(edgeFunctionCreated, details, owner)];
      await recordAudit(tx, ctx, { action: "edge_function.created", targets: [edgeTarget(row)], details, events });
      return created;
    });
  },
});

/** Where a draft is to be, and how it responds there. Throws as `createEdgeFunction` does. */
async function tryDraft(ctx: EdgeCtx, input: CreateEdgeFunction): Promise<{ owner: Owner; smoke: SmokeRun }> {
  const { actor, db } = ctx;
  requireReveal(actor, input.env);
  refuseSameNames(input.bindings, input.env);
  const project = await findProject(db, actor, input.project);
  const owner = { tenantId: actor.tenantId, projectId: project.id, mode: modeOf(actor, input.mode) };
  await refuseTakenName(db, owner, input.name);
  await checkBindings(ctx, owner, input.bindings);
  await ctx.storedBytes.take(owner.tenantId, "functions", Buffer.byteLength(input.code));
  return { owner, smoke: await ctx.edge.smokeRun(owner, input) };
}

function rowOf(
  { clock }: ActorCtx,
  owner: Owner,
  { name, code, bindings, env, smoke }: CreateEdgeFunction & { smoke: SmokeRun },
): Prisma.EdgeFunctionUncheckedCreateInput {
  const now = clock.now();
  const version = { number: 1, code, bindings, env, smoke, createdAt: now };
  return {
    id: newId(EDGE_ID_PREFIX, now.getTime()),
    ...owner,
    name,
    slug: slugOf(name),
    version: 1,
    bindings,
    env,
    smoke,
    createdAt: now,
    updatedAt: now,
    versions: { create: version },
  };
}

/** Nobody can guess it, nor take it before. */
function slugOf(name: string): string {
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_NAME_MAX)
    .replace(/^-+|-+$/g, "");
  const random = randomBase32(SLUG_RANDOM);
  return label === "" ? `f-${random}` : `${label}-${random}`;
}

/** Throws `conflict` if another edge function of the place has the name. */
export async function refuseTakenName(
  db: Pick<Prisma.TransactionClient, "edgeFunction">,
  { projectId, mode }: Pick<Owner, "projectId" | "mode">,
  name: string,
): Promise<void> {
  if (!(await db.edgeFunction.findFirst({ where: { projectId, mode, name } }))) return;
  throw new ServiceError("conflict", `Another edge function is named "${name}"; choose another name.`, {
    param: "name",
    details: { reason: "name_taken" },
  });
}
