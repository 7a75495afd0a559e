import type { Pool } from "pg";
import type { Mail } from "../../engines/mail/mail";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";

export interface ClawBackCtx {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  mail: Pick<Mail, "send">;
  currency: string;
  /** Called after each committed batch; tests stop the process here. */
  afterBatch?: () => void;
}

/** The events of a clawback: events on one channel, paid by other tenants' campaigns, in [from, to). */
export interface ClawbackTerms {
  channelId: string;
  publisherTenantId: string;
  from: Date;
  to: Date;
  /** null: every offer of the channel. */
  offerIds: readonly string[] | null;
}

/** A clawback that has begun. */
export interface Clawback extends ClawbackTerms {
  id: string;
  reason: string;
}

/** Positive, in nanos. */
export interface ClawbackSums {
  events: number;
  chargeNanos: bigint;
  earningNanos: bigint;
}

/** The key of a row of the ledger. */
export interface EventKey {
  offerId: string;
  event: string;
}

/** The events that one transaction reverses. */
export const EVENTS_PER_BATCH_MAX = 2000;
