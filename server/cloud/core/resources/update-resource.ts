import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordUpdate } from "../../../identity/audit/record-update";
import { newEvent } from "../../../identity/events/record-event";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { serviceOf } from "../planes/planes";
import { type Chosen, findAndLockResource, findResource } from "../records/find-resource";
import {
  desiredOf,
  originOf,
  Resource,
  resourceTarget,
  type StoredResource,
  specOf,
  toResource,
} from "../records/resource";
import { resourceUpdated } from "../records/resource.events";
import { resourceExample } from "../records/resource.example";
import type { ResourceCtx } from "../records/resource-ctx";
import { dueAfterChange } from "../records/resource-states";
import { holdReferences, storeReferences } from "../references/references";
import { parseSpec, storedSpec, withKeptValues } from "../specs/specs";
import { resourceChoice, resourceFields } from "./resource-fields";

/** Replaces the spec. Throws `not_found`, `invalid_request`, and `conflict` for a placeholder or a deleted resource. */
export const updateResource = operation({
  id: "updateResource",
  summary: "Replace the spec of a resource",
  description:
    "The effect follows: the response is sent when the resource is ready again, or after 5 seconds while that continues. The name and the kind stay. A redacted text of `spec`, sent back as it was read, keeps the value. The same spec again makes a resource that failed be provisioned once more. A placeholder is 409: create it again with the other spec.",
  access: "plane:write",
  stores: true,
  input: z.strictObject({ ...resourceChoice, spec: resourceFields.spec }),
  output: Resource,
  example: { input: { rid: resourceExample.rid, spec: {} }, output: { ...resourceExample, generation: 2 } },
  run: (ctx: ResourceCtx, { rid, spec }, options) =>
    changeSpec(ctx, { rid, right: "write", change: () => spec, signal: options?.signal }),
});

interface SpecChange extends Chosen {
  /** The new spec, from the one before. */
  change: (spec: Record<string, unknown>) => unknown;
  signal?: AbortSignal | undefined;
}

/** Changes a spec, and returns the resource when its effect has followed. Throws as `updateResource` does. */
export async function changeSpec(ctx: ResourceCtx, { change, signal, ...chosen }: SpecChange): Promise<Resource> {
  await authorizeSpec(ctx, { ...chosen, change });
  await ctx.db.$transaction(async (tx) => {
    const before = await findAndLockResource({ db: tx, actor: ctx.actor }, chosen);
    return storeSpec(tx, ctx, { before, spec: change(specOf(ctx.families, before)) });
  });
  return toResource(ctx.families, await ctx.waitUntilStable(chosen.rid, signal));
}

/** Throws for what the caller may not use. */
async function authorizeSpec(ctx: ResourceCtx, { change, ...chosen }: SpecChange): Promise<void> {
  const row = await findResource(ctx, chosen);
  const kind = ctx.families.kindOf({ ...serviceOf(row), kind: row.kind });
  const { tenantId, projectId, mode } = row;
  const owner = { tenantId, projectId, mode };
  const before = specOf(ctx.families, row);
  const after = parseSpec(kind.spec, withKeptValues(kind.spec, change(before), before));
  await kind.authorizeSpec?.({ ...ctx, owner }, after, before);
}

async function storeSpec(
  tx: Prisma.TransactionClient,
  ctx: ResourceCtx,
  { before, spec }: { before: StoredResource; spec: unknown },
): Promise<StoredResource> {
  if (before.state === "placeholder" || before.state === "deleting")
    throw new ServiceError("conflict", `The resource is ${TEXTS[before.state]}.`, { param: "rid" });
  const { families, clock } = ctx;
  const kind = families.kindOf({ ...serviceOf(before), kind: before.kind });
  const desired = desiredOf(families, before);
  const parsed = parseSpec(kind.spec, withKeptValues(kind.spec, spec, desired.spec as Record<string, unknown>));
  const columns = storedSpec({ keys: families.keys, schema: kind.spec, id: before.id }, parsed);
  const now = clock.now();
  if (columns.specHash === before.specHash) return tryAgain(tx, before, now);
  kind.assertChange?.(desired.spec, parsed);
  const references = await holdReferences(tx, {
    owner: { ...desired, ...serviceOf(before) },
    kind,
    spec: parsed,
    before: desired.spec,
  });
  await kind.beginChange?.(tx, desired, parsed);
  const row = await tx.resource.update({
    where: { id: before.id },
    data: {
      ...columns,
      generation: before.generation + 1,
      nextAt: dueAfterChange(now),
      updatedAt: now,
    },
  });
  await storeReferences(tx, row.id, references);
  const event = () => newEvent(resourceUpdated, toResource(families, row), originOf(row));
  await recordUpdate(tx, ctx, {
    target: resourceTarget(row),
    before: toResource(families, before),
    after: toResource(families, row),
    event,
  });
  return row;
}

/** The same spec again makes one that failed or is faulty be provisioned once more. */
async function tryAgain(tx: Prisma.TransactionClient, row: StoredResource, now: Date): Promise<StoredResource> {
  if (row.state !== "failed" && row.state !== "degraded") return row;
  return tx.resource.update({
    where: { id: row.id },
    data: { observedGeneration: null, failures: 0, nextAt: dueAfterChange(now) },
  });
}

const TEXTS = { placeholder: "a placeholder: create it again with the other spec", deleting: "being deleted" } as const;
