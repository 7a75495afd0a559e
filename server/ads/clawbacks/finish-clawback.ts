import type { EmailTemplate } from "../../engines/mail/mail";
import type { Prisma } from "../../engines/postgres/generated/client";
import { type AuditOrigin, appendAudit, type Change } from "../../identity/audit/record-audit";
import { nanosToMicros } from "../../kernel/money";
import type { ClawBackCtx, Clawback, ClawbackSums } from "./clawback";
import { type CampaignSum, markFinished, sumsOf } from "./clawback.sql";

/** An audit entry lists at most this many campaigns; its sums cover all of them. */
const CAMPAIGNS_NAMED_MAX = 50;

/**
 * Finishes a clawback. The same transaction records it in the audit logs of the publisher and the advertisers and
 * emails the publisher's owners. Neither side learns the other's name, and only the publisher receives the operator's
 * reason. Returns what was reversed. A clawback that another process finished, or that reversed nothing, notifies no
 * one.
 */
export function finishClawback(ctx: ClawBackCtx, clawback: Clawback): Promise<ClawbackSums> {
  const at = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const isOurs = await markFinished(tx, clawback.id, at);
    const campaigns = await sumsOf(tx, clawback.id);
    const total = totalOf(campaigns);
    if (!isOurs || total.events === 0) return total;
    const changes = new Map(buyerChanges(campaigns)).set(clawback.publisherTenantId, publisherChange(clawback, total));
    // A fixed order, so that two such transactions cannot deadlock.
    for (const [tenantId, change] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const origin: AuditOrigin = { tenantId, at, actor: { type: "operator" }, request: undefined };
      await appendAudit(tx, origin, change);
    }
    await notifyOwners(tx, ctx, { clawback, total });
    return total;
  });
}

function totalOf(sums: readonly Pick<CampaignSum, "events" | "chargeNanos" | "earningNanos">[]): ClawbackSums {
  const total: ClawbackSums = { events: 0, chargeNanos: 0n, earningNanos: 0n };
  for (const { events, chargeNanos, earningNanos } of sums) {
    total.events += Number(events);
    total.chargeNanos += chargeNanos;
    total.earningNanos += earningNanos;
  }
  return total;
}

const publisherChange = ({ id, channelId, from, to, reason }: Clawback, total: ClawbackSums): Change => ({
  action: "earnings.clawed_back",
  targets: [
    { type: "channel", id: channelId },
    { type: "clawback", id },
  ],
  details: {
    reason,
    from: from.toISOString(),
    to: to.toISOString(),
    events: total.events,
    earning_micros: Number(nanosToMicros(total.earningNanos)),
  },
});

function buyerChanges(sums: readonly CampaignSum[]): [string, Change][] {
  const buyers = [...new Set(sums.map(({ buyerTenantId }) => buyerTenantId))];
  return buyers.map((tenantId) => {
    const campaigns = sums.filter(({ buyerTenantId }) => buyerTenantId === tenantId);
    const total = totalOf(campaigns);
    const named = campaigns.slice(0, CAMPAIGNS_NAMED_MAX);
    const details = {
      reason: "Invalid traffic on a channel of another publisher",
      campaigns: campaigns.length,
      events: total.events,
      charge_micros: Number(nanosToMicros(total.chargeNanos)),
    };
    const targets = named.map(({ campaignId }) => ({ type: "campaign", id: campaignId }));
    return [tenantId, { action: "charges.reversed", targets, details }];
  });
}

interface FinishedClawback {
  clawback: Clawback;
  total: ClawbackSums;
}

async function notifyOwners(
  tx: Prisma.TransactionClient,
  { mail, currency }: ClawBackCtx,
  finished: FinishedClawback,
): Promise<void> {
  const { publisherTenantId: tenantId, channelId } = finished.clawback;
  const owners = await tx.membership.findMany({ where: { tenantId, role: "owner" }, include: { user: true } });
  const channel = await tx.channel.findUniqueOrThrow({ where: { id: channelId }, select: { name: true } });
  for (const { user } of owners)
    await mail.send(tx, emailOf(finished, { to: user.email, name: channel.name, currency }));
}

function emailOf(
  { clawback, total }: FinishedClawback,
  { to, name, currency }: { to: string; name: string; currency: string },
): EmailTemplate {
  const amount = new Intl.NumberFormat("en", { style: "currency", currency, maximumFractionDigits: 6 });
  const earned = amount.format(Number(nanosToMicros(total.earningNanos)) / 1_000_000);
  return {
    tenantId: clawback.publisherTenantId,
    to,
    subject: `Earnings of the channel "${name}" were clawed back`,
    text: `The operator reversed ${total.events} events of your channel "${name}" (${clawback.channelId}) between ${clawback.from.toISOString()} and ${clawback.to.toISOString()}.

Reason: ${clawback.reason}

Your earnings are ${earned} lower. The amount is no longer part of your pending or available earnings.
The entry "earnings.clawed_back" of your audit log has the same facts.
`,
  };
}
