import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { operation } from "../../cloud-operation";
import { serviceOf } from "../planes/planes";
import { findAndLockResource, type findResource } from "../records/find-resource";
import { desiredOf, Resource, resourceTarget, type StoredResource, toResource } from "../records/resource";
import { resourceExample } from "../records/resource.example";
import type { ResourceCtx } from "../records/resource-ctx";
import { dueAfterChange } from "../records/resource-states";
import { assertNotInUse } from "../references/assert-not-in-use";
import { readDependents } from "../references/references.sql";
import { askedServices, ofService, resourceChoice } from "./resource-fields";

/** More than the quota of resources. */
const PARTS_MAX = 10_000;

/** Deletes a resource with its effect. Throws `not_found`, and `conflict` for one that is in use. */
export const deleteResource = operation({
  id: "deleteResource",
  summary: "Delete a resource",
  description:
    "Its effect is removed with its data: the response is 204 when nothing is left of it, or 202 with the resource, whose state is `deleting`, after 5 seconds while that continues. A placeholder is deleted at once. A volume that pods have is 409 with the reason `volume_in_use`; a vpc in use, and what an instance or a volume names, with `has_dependents`.",
  access: "plane:write",
  takesLong: true,
  mayContinue: true,
  input: z.strictObject({ ...resourceChoice, ...ofService }),
  output: Resource.optional(),
  example: {
    input: { rid: resourceExample.rid },
    output: { ...resourceExample, state: "deleting", provisioned: false, endpoints: [], try_it: [] },
  },
  run: (ctx: ResourceCtx, { rid, ...of }, options) =>
    removeResource(ctx, { rid, services: askedServices(of), right: "write", signal: options?.signal }),
});

interface Removal extends Pick<Parameters<typeof findResource>[1], "rid" | "services" | "right"> {
  signal?: AbortSignal | undefined;
}

/** Deletes a resource; returns it while its removal goes on, and undefined when it is gone. Throws `not_found`. */
export async function removeResource(ctx: ResourceCtx, { signal, ...removal }: Removal): Promise<Resource | undefined> {
  const state = await beginRemoval(ctx, removal);
  if (state === "placeholder") return undefined;
  const row = await ctx.waitUntilStable(removal.rid, signal);
  return row.state === "deleted" ? undefined : toResource(ctx.families, row);
}

/** Begins the deletion of a resource, which goes on by itself; returns its state before. Throws `not_found`. */
export const beginRemoval = (ctx: ResourceCtx, removal: Omit<Removal, "signal">): Promise<string> =>
  ctx.db.$transaction(async (tx) => {
    const row = await findAndLockResource({ db: tx, actor: ctx.actor }, removal);
    if (row.state !== "deleting") await begin(tx, ctx, row);
    return row.state;
  });

/** From now on the reconcilers remove its effect, even if this process ends. */
async function begin(tx: Prisma.TransactionClient, ctx: ResourceCtx, row: StoredResource): Promise<void> {
  const now = ctx.clock.now();
  const where = { id: row.id };
  const kind = ctx.families.kindOf({ ...serviceOf(row), kind: row.kind });
  if (row.state !== "placeholder") {
    await kind.beginRemoval?.(tx, desiredOf(ctx.families, row));
    await assertNotInUse(tx, row);
  }
  if (row.state === "placeholder") await tx.resource.delete({ where });
  else await tx.resource.update({ where, data: { state: "deleting", nextAt: dueAfterChange(now), updatedAt: now } });
  const details = { plane: row.plane, service: row.service, kind: row.kind, placeholder: row.state === "placeholder" };
  await recordAudit(tx, ctx, { action: "resource.deletion_started", targets: [resourceTarget(row)], details });
  await beginParts(tx, ctx, row);
}

/** What belongs to a resource is deleted with it. */
async function beginParts(tx: Prisma.TransactionClient, ctx: ResourceCtx, { id }: StoredResource): Promise<void> {
  const parts = await readDependents(tx, { id, onDelete: "cascade", limit: PARTS_MAX });
  for (const { rid } of parts) {
    await tx.$queryRaw`SELECT id FROM resources WHERE id = ${rid} FOR NO KEY UPDATE`;
    const part = await tx.resource.findUniqueOrThrow({ where: { id: rid } });
    if (part.state !== "deleting" && part.state !== "deleted") await begin(tx, ctx, part);
  }
}
