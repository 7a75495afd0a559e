import type { Prisma } from "../../engines/postgres/generated/client";
import { newId } from "../../kernel/ids";
import type { ActorCtx, RequestFacts } from "../identity-ctx";
import { insertEntry, lockHead } from "./audit.sql";
import { entryHash, type Json } from "./entry-hash";

const USER_AGENT_LENGTH_MAX = 300;

/** What a verb says of a change: `api_key.created` and the like, and whom it concerns. Never a secret. */
export interface Change {
  action: string;
  targets: AuditTarget[];
  details?: { [name: string]: Json };
}

export interface AuditTarget {
  /** A noun in the singular: `api_key`, `campaign`. */
  type: string;
  id: string;
  name?: string;
}

export type AuditActor =
  | { type: "api_key" | "user"; id: string }
  /** Who may use the shell of the machine that svc runs on. */
  | { type: "operator" }
  /** Somebody who is not logged in. */
  | { type: "visitor" };

/** What an entry takes from the context of a verb. */
export type RecordAuditCtx = Pick<ActorCtx, "clock" | "actor" | "request">;

/** Appends what the actor did to their tenant's audit log, in the transaction of the change; call it last in there. */
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
  /** undefined: no request caused it. */
  request: RequestFacts | undefined;
}

/** As `recordAudit`, for changes by operators and visitors. Entries of one tenant wait for each other. */
export async function appendAudit(
  tx: Prisma.TransactionClient,
  { tenantId, at, actor, request }: AuditOrigin,
  { action, targets, details = {} }: Change,
): Promise<void> {
  const told = asStored({ actor, targets, context: contextOf(request), details });
  const id = newId("aud", at.getTime());
  const head = await lockHead(tx, tenantId);
  const facts = { ...told, tenantId, sequence: head.sequence + 1n, id, at, action, previousHash: head.hash };
  await insertEntry(tx, { ...facts, hash: entryHash(facts) });
}

const contextOf = (request: RequestFacts | undefined) =>
  request && {
    request_id: request.requestId,
    address: request.address,
    user_agent: request.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
  };

interface Told<T> {
  actor: T;
  targets: T;
  context: T;
  details: T;
}

/** As Postgres will give it back, so that the hash fits: without undefined, NUL and halves of surrogate pairs. */
function asStored({ context = {}, ...told }: Told<unknown>): Told<Json> {
  const text = JSON.stringify({ ...told, context }, (_name, value: unknown) =>
    typeof value === "string" ? value.replace(/[\0\p{Surrogate}]/gu, "\u{fffd}") : value,
  );
  return JSON.parse(text) as Told<Json>;
}
