import type { Prisma } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { newId } from "../../kernel/ids";
import type { Actor } from "../actors/actor";
import type { RequestFacts } from "../identity-ctx";
import { lockHead, moveHead } from "./audit.sql";
import { type AuditFacts, entryHash, type Json } from "./entry-hash";

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

/** Appends what the actor did to their tenant's audit log, in the transaction of the change; call it last in there. */
export function recordAudit(
  tx: Prisma.TransactionClient,
  { clock, actor, request }: { clock: Clock; actor: Actor; request: RequestFacts },
  change: Change,
): Promise<void> {
  const by: AuditActor =
    actor.kind === "key" ? { type: "api_key", id: actor.keyId } : { type: "user", id: actor.userId };
  return appendAudit(tx, { tenantId: actor.tenantId, at: clock.now(), actor: by, request }, change);
}

interface AuditOrigin {
  tenantId: string;
  at: Date;
  actor: AuditActor;
  request: RequestFacts | undefined;
}

/** As `recordAudit`, for changes by operators and visitors. Entries of one tenant wait for each other. */
export async function appendAudit(
  tx: Prisma.TransactionClient,
  { tenantId, at, actor, request }: AuditOrigin,
  { action, targets, details = {} }: Change,
): Promise<void> {
  const head = await lockHead(tx, tenantId);
  const context = request
    ? {
        request_id: request.requestId,
        address: request.address,
        user_agent: request.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
      }
    : {};
  const facts: AuditFacts = {
    tenantId,
    sequence: head.sequence + 1n,
    id: newId("aud", at.getTime()),
    at,
    action,
    actor: { ...actor },
    targets: targets.map((target) => ({ ...target })),
    context,
    details,
    previousHash: head.hash,
  };
  const hash = entryHash(facts);
  await tx.auditEntry.create({ data: { ...facts, hash } as Prisma.AuditEntryCreateInput });
  await moveHead(tx, { tenantId, sequence: facts.sequence, hash });
}
