import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText, Moment } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { REPLAYS_MAX, replayRange } from "./replay-range.sql";
import { assertEnabled, ownWebhook, webhookTarget } from "./webhook";
import { webhookExample } from "./webhook.example";
import { lockWebhook } from "./webhook.sql";

/**
 * Sends the events of the oldest 10,000 deliveries of a time range again, in the background, with the same event ids;
 * failures are retried. Throws `not_found`, `conflict` for a disabled webhook and `invalid_request` for an empty range.
 */
export const replayWebhookDeliveries = operation({
  id: "replayWebhookDeliveries",
  summary: "Send the events of a time range again",
  description: `At most ${REPLAYS_MAX} deliveries per call, the oldest first; \`next_from\` is then the \`from\` of the next call.`,
  access: "webhooks:write",
  cost: "bulk",
  result: "accepted",
  input: z.strictObject({
    id: IdText,
    from: Moment.describe("Deliveries created at this time or later"),
    to: Moment.describe("Deliveries created before this time"),
    status: z.enum(["failed", "succeeded"]).default("failed").describe("Only deliveries in this state"),
  }),
  output: z.object({
    replayed: z.int().describe("Deliveries that are sent again"),
    next_from: z.iso.datetime().nullable().describe("The `from` of a call for the rest; null when there is none"),
  }),
  example: {
    input: { id: webhookExample.id, from: "2026-11-20T00:00:00Z", to: "2026-11-21T00:00:00Z" },
    output: { replayed: 42, next_from: null },
  },
  run: async (ctx: ActorCtx, { id, from, to, status }) => {
    const { db, clock, actor } = ctx;
    if (from >= to) {
      throw new ServiceError("invalid_request", "to must be later than from.", { param: "to" });
    }
    return db.$transaction(async (tx) => {
      await lockWebhook(tx, id);
      const webhook = await ownWebhook({ db: tx, actor }, id);
      assertEnabled(webhook);
      const { replayed, nextFrom } = await replayRange(tx, { webhookId: id, from, to, status, now: clock.now() });
      const range = { from: from.toISOString(), to: to.toISOString() };
      const details = { ...range, status, replayed };
      await recordAudit(tx, ctx, { action: "webhook_delivery.replayed", targets: [webhookTarget(webhook)], details });
      return { replayed, next_from: nextFrom?.toISOString() ?? null };
    });
  },
});
