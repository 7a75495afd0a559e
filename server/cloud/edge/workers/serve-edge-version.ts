import type { EdgeFunction as EdgeRow, Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { EdgeCtx } from "./edge-ctx";
import { type EdgeFunction, edgeTarget, toEdgeFunction } from "./edge-function";
import { edgeFunctionPublished } from "./edge-function.events";

/** Makes a stored version the one that serves. Call it while the edge function is locked. */
export async function serveEdgeVersion(
  tx: Prisma.TransactionClient,
  ctx: ActorCtx & Pick<EdgeCtx, "edge">,
  { before, version }: { before: EdgeRow; version: number },
): Promise<EdgeFunction> {
  const now = ctx.clock.now();
  const row = await tx.edgeFunction.update({
    where: { id: before.id },
    data: { publishedVersion: version, publishedAt: now, updatedAt: now },
  });
  const published = toEdgeFunction(ctx, row);
  const { projectId, mode } = row;
  await recordAudit(tx, ctx, {
    action: "edge_function.published",
    targets: [edgeTarget(row)],
    details: { version, before: before.publishedVersion },
    events: [newEvent(edgeFunctionPublished, published, { projectId, mode })],
  });
  return published;
}
