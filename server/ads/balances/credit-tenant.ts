import { z } from "zod";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import { appendAudit } from "../../identity/audit/record-audit";
import { newEvent } from "../../identity/events/record-event";
import type { Clock } from "../../kernel/clock";
import { notFound } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { NANOS_PER_MICRO } from "../../kernel/money";
import { id, text } from "../fields";
import { type Balance, balanceOf } from "./balance";
import { balanceCredited } from "./balance.events";

/** 1,000,000,000 currency units; the sum of a thousand such credits in nanos still fits a signed 64-bit column. */
const CREDIT_MICROS_MAX = 1e15;

export const CreditTenant = z.strictObject({
  tenant_id: id,
  amount_micros: z.int().min(1).max(CREDIT_MICROS_MAX),
  note: text(500).optional(),
});

export interface CreditCtx {
  db: PrismaClient;
  clock: Clock;
  currency: string;
}

/**
 * Adds to a tenant's prepaid balance; used by operators. Every process applies it within about a second. Throws
 * `not_found` for the tenant.
 */
export function creditTenant(
  { db, clock, currency }: CreditCtx,
  { tenant_id: tenantId, amount_micros, note = "" }: z.output<typeof CreditTenant>,
): Promise<Balance> {
  const at = clock.now();
  const amountNanos = BigInt(amount_micros) * NANOS_PER_MICRO;
  return db.$transaction(async (tx) => {
    if (!(await tx.tenant.findUnique({ where: { id: tenantId } }))) throw notFound("tenant", tenantId);
    const entry = { id: newId("bal", at.getTime()), tenantId, kind: "credit" as const, amountNanos };
    await tx.balanceEntry.create({ data: { ...entry, note, actor: "operator", at } });
    const row = await tx.tenantBalance.upsert({
      where: { tenantId },
      create: { tenantId, creditedNanos: amountNanos },
      update: { creditedNanos: { increment: amountNanos } },
    });
    const details = { amount_micros, currency, note };
    const balance = balanceOf(row, currency);
    const events = [newEvent(balanceCredited, { ...balance, id: entry.id, amount_micros, note })];
    const change = { action: "balance.credited", targets: [{ type: "balance", id: entry.id }], details, events };
    await appendAudit(tx, { tenantId, at, actor: { type: "operator" }, request: undefined }, change);
    return balance;
  });
}
