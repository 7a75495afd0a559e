import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { ownerFields } from "../../../identity/owner-fields";
import { findProject } from "../../../identity/projects/find-project";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { requireReveal } from "../workers/require-reveal";
import { CloudFunction, FUNCTION_ID_PREFIX, functionTarget, scheduleFields, toFunction } from "./function";
import { functionCreated, recorded } from "./function.events";
import { EXAMPLE_CODE, functionExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { defaultCode, FUNCTION_INPUT_LIMITS, functionFields } from "./function-fields";
import type { RunsIn } from "./function-runner";
import { FUNCTION_QUOTAS } from "./functions.quotas";
import { runsIn } from "./runs-in";

export const CreateFunction = z.strictObject({
  name: functionFields.name,
  runtime: functionFields.runtime.default("javascript"),
  handler: functionFields.handler.default("default"),
  backend: functionFields.backend.optional(),
  image: functionFields.image.optional(),
  memory_mb: functionFields.memory_mb.optional(),
  gpu: functionFields.gpu.default("none"),
  code: functionFields.code
    .optional()
    .describe("A module of at most 1 MiB, JavaScript or Python; default: one that returns its payload"),
  env: functionFields.env.default({}),
  timeout_ms: functionFields.timeout_ms.default(10_000),
  concurrency_max: functionFields.concurrency_max.default(20),
  schedule: functionFields.schedule.default(null),
  retries_max: functionFields.retries_max.default(0),
  ...ownerFields,
});
type CreateFunction = z.output<typeof CreateFunction>;

/**
 * Creates a function with its first version. Throws `not_found` for the project, `unprocessable` (reason `load_failed`)
 * for code that does not load, `forbidden` for a secret without `secrets:reveal`, `conflict` (`name_taken`),
 * `quota_exceeded` and `unavailable`.
 */
export const createFunction = operation({
  id: "createFunction",
  summary: "Create a function",
  description:
    "A function is a module whose function `handler` is called with a JSON payload and a context (`env`, `invocation_id`, `function`, `version`), and returns a JSON value or a promise of one. With the runtime `javascript` it can `fetch` public addresses by HTTP and HTTPS, and has neither files nor another network; code that does not load is `unprocessable`, with the line. With `node` and `python` it runs in a pod that is kept for some minutes after a call, and reaches public addresses through a proxy; code that does not load fails when it is called.",
  access: "functions:write",
  stores: true,
  idempotent: true,
  result: "created",
  quota: FUNCTION_QUOTAS.functions,
  inputLimits: FUNCTION_INPUT_LIMITS,
  input: CreateFunction,
  output: CloudFunction,
  example: { input: { name: functionExample.name, code: EXAMPLE_CODE }, output: functionExample },
  prepare: (ctx: FunctionCtx, input) => check(ctx, input),
  run: async (ctx: FunctionCtx, input, options) => {
    const { actor } = ctx;
    const { owner, isIn } = options?.prepared ?? (await check(ctx, input));
    const code = input.code ?? defaultCode(input.handler, isIn.runtime);
    return ctx.db.$transaction(async (tx) => {
      await assertQuota(tx, { tenantId: actor.tenantId }, FUNCTION_QUOTAS.functions);
      await refuseTakenName(tx, owner, input.name);
      const row = await tx.cloudFunction.create({ data: rowOf(ctx, { ...owner, ...isIn }, { ...input, code }) });
      const created = toFunction(row);
      const details = recorded(created);
      const events = [newEvent(functionCreated, details, owner)];
      await recordAudit(tx, ctx, { action: "function.created", targets: [functionTarget(row)], details, events });
      return created;
    });
  },
});

/** Where a function is to be and run; loads its code there. Throws as `createFunction` does. */
async function check({ actor, db, functions, storedBytes }: FunctionCtx, input: CreateFunction) {
  requireReveal(actor, input.env);
  const project = await findProject(db, actor, input.project);
  const owner = { tenantId: actor.tenantId, projectId: project.id, mode: modeOf(actor, input.mode) };
  await refuseTakenName(db, owner, input.name);
  const isIn = runsIn(input);
  if (input.code !== undefined)
    await functions.check({ ...owner, ...isIn }, { code: input.code, entry: input.handler });
  await storedBytes.take(owner.tenantId, "functions", Buffer.byteLength(input.code ?? ""));
  return { owner, isIn };
}

type FunctionOwner = Pick<Prisma.CloudFunctionUncheckedCreateInput, "tenantId" | "projectId" | "mode">;
type OwnedFunction = FunctionOwner & RunsIn;

function rowOf(
  { clock }: FunctionCtx,
  owner: OwnedFunction,
  { name, handler: entry, env, schedule, code = "", ...limits }: CreateFunction,
): Prisma.CloudFunctionUncheckedCreateInput {
  const now = clock.now();
  const { timeout_ms: timeoutMs, concurrency_max: concurrencyMax, retries_max: retriesMax } = limits;
  const version = { number: 1, code, entry, createdAt: now };
  return {
    id: newId(FUNCTION_ID_PREFIX, now.getTime()),
    ...owner,
    name,
    version: 1,
    env,
    timeoutMs,
    concurrencyMax,
    ...scheduleFields(schedule, now, owner),
    retriesMax,
    createdAt: now,
    updatedAt: now,
    versions: { create: version },
  };
}

/** Throws `conflict` if another function of the place has the name. */
export async function refuseTakenName(
  db: Pick<Prisma.TransactionClient, "cloudFunction">,
  { projectId, mode }: Pick<FunctionOwner, "projectId" | "mode">,
  name: string,
): Promise<void> {
  if (!(await db.cloudFunction.findFirst({ where: { projectId, mode, name } }))) return;
  throw new ServiceError("conflict", `Another function is named "${name}"; choose another name.`, {
    param: "name",
    details: { reason: "name_taken" },
  });
}
