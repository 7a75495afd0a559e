import { type Lease, LeasedRows } from "../../../engines/postgres/lease";
import type { Mode } from "../../../operation/actor";
import type { EventFields } from "./event-body";

/** Retries after the first attempt. Specification, "Limits". */
export const RETRIES = 5;
/**
 * The process that makes an attempt, which is repeated if it has no result when the lease ends: its process was killed. An
 * attempt takes less, so that its lease is not extended.
 */
export const DELIVERIES = new LeasedRows({ table: "webhook_deliveries", ms: 30_000, until: "next_attempt_at" });
/** No retry starts later than this after the first attempt. Specification, "Limits". */
export const RETRIED_FOR_MS = 24 * 60 * 60 * 1000;

/** An attempt that this process makes, with everything that it needs: the lease of a delivery. */
export interface Claim extends Lease {
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
export const CLAIM_COLUMNS = `d.id, d.lease_owner AS owner, d.lease_fence AS fence, d.retries_left AS "retriesLeft", d.retry_until AS "retryUntil",
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
