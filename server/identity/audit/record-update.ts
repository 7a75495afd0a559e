import type { Prisma } from "../../engines/postgres/generated/client";
import type { NewEvent } from "../events/record-event";
import { changesOf } from "./changes-of";
import { type AuditTarget, type RecordAuditCtx, recordAudit } from "./record-audit";

interface Update<T extends object> {
  target: AuditTarget;
  /** The object before and after, in its wire form. */
  before: T;
  after: T;
  /** Fields whose values, such as variables, only readers of the object may see. */
  hidden?: readonly (keyof T)[];
  /** The event of the change, from the names of the changed fields. */
  event?: (changed: string[]) => NewEvent;
}

/** Appends `<type>.updated` with the changed fields, if any; call it last in the transaction of the change. */
export async function recordUpdate<T extends object>(
  tx: Prisma.TransactionClient,
  ctx: RecordAuditCtx,
  { target, before, after, hidden, event }: Update<T>,
): Promise<void> {
  const changes = changesOf(before, after, hidden);
  const changed = Object.keys(changes);
  if (changed.length === 0) return;
  const events = event ? [event(changed)] : [];
  await recordAudit(tx, ctx, { action: `${target.type}.updated`, targets: [target], details: { changes }, events });
}
