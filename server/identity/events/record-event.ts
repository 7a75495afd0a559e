import type { z } from "zod";
import type { Prisma } from "../../engines/postgres/generated/client";
import { newId } from "../../kernel/ids";
import type { Mode } from "../../operation/actor";
import type { EventKind } from "../../operation/event-kind";
import { lockLog } from "../lock-log";
import { storedJson } from "../stored-json";

/** Where an event belongs; without a project it goes to the webhooks of every project of the tenant. */
export interface EventOrigin {
  tenantId: string;
  projectId?: string | undefined;
  /** Account changes that concern both modes, such as those of members, are live events. */
  mode: Mode;
  at: Date;
}

/** The event of a change, as `recordAudit` receives it; it is created with `newEvent`. */
export interface NewEvent extends Pick<EventOrigin, "projectId" | "mode"> {
  type: string;
  data: Prisma.InputJsonObject;
}

/**
 * An event with only the declared fields of `data`, so that a wire object with a secret can be passed. By default it is
 * of the whole tenant, in live mode.
 */
export const newEvent = <D extends z.ZodObject>(
  { type, data: schema }: Pick<EventKind<D>, "type" | "data">,
  data: z.input<D>,
  { projectId, mode = "live" }: Partial<Pick<EventOrigin, "projectId" | "mode">> = {},
): NewEvent => {
  const declared = Object.entries(data).filter(([field]) => Object.hasOwn(schema.shape, field));
  return { type, projectId, mode, data: storedJson(Object.fromEntries(declared)) as Prisma.InputJsonObject };
};

/**
 * Writes an event in the transaction of the change that causes it, so that it exists if and only if that commits; its
 * deliveries are created afterwards. Call it last: other changes of the tenant wait for the transaction. Returns its id,
 * `evt_…`. A change that is recorded in the audit log passes its event to `recordAudit` instead.
 */
export async function recordEvent<D extends z.ZodObject>(
  tx: Pick<Prisma.TransactionClient, "event" | "$queryRaw">,
  { tenantId, projectId, mode, at }: EventOrigin,
  { kind, data }: { kind: EventKind<D>; data: z.input<D> },
): Promise<string> {
  await lockLog(tx, tenantId);
  return insertEvent(tx, { tenantId, at }, newEvent(kind, data, { projectId, mode }));
}

/** Writes an event while the log of its tenant is locked: its sequence is then the order of the commits. */
export async function insertEvent(
  tx: Pick<Prisma.TransactionClient, "event">,
  { tenantId, at }: Pick<EventOrigin, "tenantId" | "at">,
  { type, projectId, mode, data }: NewEvent,
): Promise<string> {
  const id = newId("evt", at.getTime());
  await tx.event.create({ data: { id, tenantId, projectId: projectId ?? null, mode, type, data, createdAt: at } });
  return id;
}
