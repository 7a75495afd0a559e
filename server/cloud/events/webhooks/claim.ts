import type { Mode } from "../../../operation/actor";
import type { EventFields } from "./event-body";

/** Retries after the first attempt. Specification, "Limits". */
export const RETRIES = 5;
/** An attempt that has no result after this time is repeated: its process was killed. */
export const LEASE_MS = 30_000;
/** No retry starts later than this after the first attempt. Specification, "Limits". */
export const RETRIED_FOR_MS = 24 * 60 * 60 * 1000;

/** An attempt that this process makes, with everything that it needs. */
export interface Claim {
  /** The id of the delivery. */
  id: string;
  /** The id of the attempt; only its holder may write the result. */
  claim: string;
  webhookId: string;
  url: string;
  sealedSecret: string;
  sealedPreviousSecret: string | null;
  previousSecretUntil: Date | null;
  /** The last attempt of the webhook failed. */
  isFailing: boolean;
  retriesLeft: number;
  retryUntil: Date;
  event: EventFields;
}

/** The columns of a claim as SQL returns them; those of the event are prefixed. */
export interface ClaimRow extends Omit<Claim, "event"> {
  eventId: string;
  eventType: string;
  eventCreatedAt: Date;
  tenantId: string;
  eventProjectId: string | null;
  mode: Mode;
  data: unknown;
}

/** The columns of `ClaimRow`, of the tables d (deliveries), w (webhooks) and e (events). */
export const CLAIM_COLUMNS = `d.id, d.claim, d.retries_left AS "retriesLeft", d.retry_until AS "retryUntil",
  w.id AS "webhookId", w.url, w.sealed_secret AS "sealedSecret", w.sealed_previous_secret AS "sealedPreviousSecret",
  w.previous_secret_until AS "previousSecretUntil", w.failing_since IS NOT NULL AS "isFailing",
  e.id AS "eventId", e.type AS "eventType", e.created_at AS "eventCreatedAt", e.tenant_id AS "tenantId", e.project_id AS "eventProjectId", e.mode, e.data`;

export const claimOf = ({
  eventId: id,
  eventType: type,
  eventCreatedAt: createdAt,
  eventProjectId: projectId,
  tenantId,
  mode,
  data,
  ...claim
}: ClaimRow): Claim => ({ ...claim, event: { id, type, createdAt, tenantId, projectId, mode, data } });
