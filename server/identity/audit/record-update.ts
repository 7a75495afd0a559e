import type { Prisma } from "../../engines/postgres/generated/client";
import { changesOf } from "./changes-of";
import { type AuditTarget, type RecordAuditCtx, recordAudit } from "./record-audit";

interface Update<T extends object> {
  target: AuditTarget;
  /** Wire objects. */
  before: T;
  after: T;
}

/**
 * Appends `<type>.updated` with the fields that changed, in the transaction of the change; nothing where none did. Call
 * it last in there.
 */
export async function recordUpdate<T extends object>(
  tx: Prisma.TransactionClient,
  ctx: RecordAuditCtx,
  { target, before, after }: Update<T>,
): Promise<void> {
  const changes = changesOf(before, after);
  if (Object.keys(changes).length === 0) return;
  await recordAudit(tx, ctx, { action: `${target.type}.updated`, targets: [target], details: { changes } });
}
