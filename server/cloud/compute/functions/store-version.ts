import type { CloudFunction as FunctionRow, Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { type CloudFunction, functionTarget, toFunction } from "./function";
import { functionDeployed, recorded } from "./function.events";
import type { FunctionCtx } from "./function-ctx";

/** Makes a stored version the one that is called. Call it while the function is locked. */
export async function serveVersion(
  tx: Prisma.TransactionClient,
  ctx: FunctionCtx,
  { before, version }: { before: FunctionRow; version: number },
): Promise<CloudFunction> {
  const row = await tx.cloudFunction.update({
    where: { id: before.id },
    data: { version, updatedAt: ctx.clock.now() },
  });
  const deployed = toFunction(row);
  const { projectId, mode } = row;
  await recordAudit(tx, ctx, {
    action: "function.deployed",
    targets: [functionTarget(row)],
    details: { version, before: before.version },
    events: [newEvent(functionDeployed, recorded(deployed), { projectId, mode })],
  });
  return deployed;
}
