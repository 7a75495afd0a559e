import { z } from "zod";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import { appendAudit } from "../../identity/audit/record-audit";
import type { Clock } from "../../kernel/clock";
import { notFound } from "../../kernel/errors";
import { id, text } from "../fields";
import { channelTarget } from "./channel";
import { lockChannel } from "./channel.sql";

export const SuspendChannel = z.strictObject({ id, suspended: z.boolean(), reason: text(500).optional() });

/**
 * Suspends or resumes other tenants' campaigns on a channel; used by operators. The publisher's own campaigns are not
 * affected. Serving processes apply it within a second. Returns whether anything changed. Throws `not_found`.
 */
export function suspendChannel(
  { db, clock }: { db: PrismaClient; clock: Clock },
  input: z.output<typeof SuspendChannel>,
): Promise<boolean> {
  const at = clock.now();
  return db.$transaction(async (tx) => {
    await lockChannel(tx, input.id);
    const channel = await tx.channel.findUnique({ where: { id: input.id } });
    if (!channel) throw notFound("channel", input.id);
    if ((channel.networkSuspendedAt !== null) === input.suspended) return false;
    await tx.channel.update({ where: { id: channel.id }, data: { networkSuspendedAt: input.suspended ? at : null } });
    const change = {
      action: input.suspended ? "channel.suspended" : "channel.resumed",
      targets: [channelTarget(channel)],
      ...(input.reason !== undefined && { details: { reason: input.reason } }),
    };
    await appendAudit(tx, { tenantId: channel.tenantId, at, actor: { type: "operator" }, request: undefined }, change);
    return true;
  });
}
