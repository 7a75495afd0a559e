import type { Prisma } from "../../engines/postgres/generated/client";
import { changesOf } from "./changes-of";
import { type AuditTarget, type RecordAuditCtx, recordAudit } from "./record-audit";

interface Update<T extends object> {
  target: AuditTarget;
  /** The object before and after, in its wire form. */
  before: T;
  after: T;
}

/** Appends `<type>.updated` with the changed fields, if any; call it last in the transaction of the change. */
export async function recordUpdate<T extends object>(
  tx: Prisma.TransactionClient,
  ctx: RecordAuditCtx,
  { target, before, after }: Update<T>,
): Promise<void> {
  const changes = changesOf(before, after);
  if (Object.keys(changes).length === 0) return;
  await recordAudit(tx, ctx, { action: `${target.type}.updated`, targets: [target], details: { changes } });
}
