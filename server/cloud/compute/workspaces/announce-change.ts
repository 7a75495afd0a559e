import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordEvent } from "../../../identity/events/record-event";
import type { PodCtx } from "../pods/pod";
import { type StoredWorkspace, toWorkspace } from "./workspace";
import { workspaceStarted, workspaceStopped } from "./workspace.events";

/** Records the event of a locked workspace that runs or has ended, once. */
export async function announceChange(
  tx: Prisma.TransactionClient,
  ctx: PodCtx,
  stored: StoredWorkspace,
): Promise<void> {
  const { id, tenantId, projectId, mode, status, runNumber, deletedAt } = stored.pod;
  const announced = `${runNumber} ${status}`;
  if (deletedAt || status === "pending" || status === "stopping" || stored.row.announced === announced) return;
  await tx.workspace.update({ where: { id }, data: { announced } });
  const kind = status === "ready" ? workspaceStarted : workspaceStopped;
  await recordEvent(tx, { tenantId, projectId, mode, at: ctx.clock.now() }, { kind, data: toWorkspace(stored, ctx) });
}
