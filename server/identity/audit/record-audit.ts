import type { Prisma } from "../../engines/postgres/generated/client";
import { newId } from "../../kernel/ids";
import type { RequestMeta } from "../../operation/request-meta";
import { insertEvent, type NewEvent } from "../events/record-event";
import type { ActorCtx } from "../identity-ctx";
import { lockLog } from "../lock-log";
import { type Json, storedJson } from "../stored-json";
import { insertEntry } from "./audit.sql";
import { entryHash } from "./entry-hash";

const USER_AGENT_LENGTH_MAX = 300;

/**
 * How an operation describes a change: an action such as `api_key.created` and its targets. Must not contain a secret.
 */
export interface Change {
  action: string;
  targets: AuditTarget[];
  details?: { [name: string]: Json };
  /** What webhooks are told about the change; written in the same transaction. */
  events?: readonly NewEvent[];
}

export interface AuditTarget {
  /** A singular noun: `api_key`, `campaign`. */
  type: string;
  id: string;
  name?: string;
}

/** Makes targets of one type from rows with a name. */
export const targetOf =
  (type: string) =>
  ({ id, name }: { id: string; name: string }): AuditTarget => ({ type, id, name });

export type AuditActor =
  | { type: "api_key" | "user"; id: string }
  /** A person with shell access to the machine that svc runs on. */
  | { type: "operator" }
  /** A person who is not logged in. */
  | { type: "visitor" }
  /** svc itself, such as when it disables a webhook that fails for days. */
  | { type: "system" };

/** The part of an operation's context that an entry needs. */
export type RecordAuditCtx = Pick<ActorCtx, "clock" | "actor" | "request">;

/** Appends the actor's change to the audit log of their tenant, and its events; call it last in the transaction of the change. */
export function recordAudit(
  tx: Prisma.TransactionClient,
  { clock, actor, request }: RecordAuditCtx,
  change: Change,
): Promise<void> {
  const by: AuditActor =
    actor.kind === "key" ? { type: "api_key", id: actor.keyId } : { type: "user", id: actor.userId };
  return appendAudit(tx, { tenantId: actor.tenantId, at: clock.now(), actor: by, request }, change);
}

export interface AuditOrigin {
  tenantId: string;
  at: Date;
  actor: AuditActor;
  /** undefined when no request caused the change. */
  request: RequestMeta | undefined;
}

/** Like `recordAudit`, for changes by operators and visitors. Appends to the log of one tenant run one at a time. */
export async function appendAudit(
  tx: Prisma.TransactionClient,
  { tenantId, at, actor, request }: AuditOrigin,
  { action, targets, details = {}, events = [] }: Change,
): Promise<void> {
  const stored = asStored({ actor, targets, context: contextOf(request), details });
  const id = newId("aud", at.getTime());
  const head = await lockLog(tx, tenantId);
  const facts = { ...stored, tenantId, sequence: head.sequence + 1n, id, at, action, previousHash: head.hash };
  await insertEntry(tx, { ...facts, hash: entryHash(facts) });
  for (const event of events) await insertEvent(tx, { tenantId, at }, event);
}

const contextOf = (request: RequestMeta | undefined) =>
  request && {
    request_id: request.requestId,
    address: request.address,
    user_agent: request.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
  };

interface EntryColumns<T> {
  actor: T;
  targets: T;
  context: T;
  details: T;
}

/** As Postgres returns them, so that the hash matches. */
const asStored = ({ context = {}, ...columns }: EntryColumns<unknown>): EntryColumns<Json> =>
  storedJson({ ...columns, context }) as unknown as EntryColumns<Json>;
