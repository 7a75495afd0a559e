import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { recordEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { EXAMPLE_LATER } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { ownWebhook, toWebhook, WebhookWithSecret, webhookTarget, withoutUrlQuery } from "./webhook";
import { webhookUpdated } from "./webhook.events";
import { EXAMPLE_SECRET, webhookExample } from "./webhook.example";
import { lockWebhook } from "./webhook.sql";
import type { WebhookCtx } from "./webhook-ctx";
import { newSecret, PREVIOUS_SECRET_MS, sealSecret } from "./webhook-secret";

/**
 * Replaces the secret of a webhook; only the response shows the new one. For 24 hours requests have a signature with
 * each of the two; one from an earlier rotation stops signing. Throws `not_found`.
 */
export const rotateWebhookSecret = operation({
  id: "rotateWebhookSecret",
  summary: "Replace the secret of a webhook; the new one is shown once",
  access: "webhooks:write",
  idempotent: true,
  input: z.strictObject({ id: IdText }),
  output: WebhookWithSecret,
  example: {
    input: { id: webhookExample.id },
    output: {
      ...webhookExample,
      previous_secret_until: "2026-11-21T10:00:00.000Z",
      updated_at: EXAMPLE_LATER,
      secret: EXAMPLE_SECRET,
    },
  },
  run: async (ctx: ActorCtx & Pick<WebhookCtx, "encryptionKey">, { id }) => {
    const { db, clock, actor, encryptionKey } = ctx;
    const [now, secret] = [clock.now(), newSecret()];
    return db.$transaction(async (tx) => {
      await lockWebhook(tx, id);
      const before = await ownWebhook({ db: tx, actor }, id);
      const row = await tx.webhook.update({
        where: { id },
        data: {
          sealedSecret: sealSecret(encryptionKey, id, secret),
          sealedPreviousSecret: before.sealedSecret,
          previousSecretUntil: new Date(now.getTime() + PREVIOUS_SECRET_MS),
          updatedAt: now,
        },
      });
      const webhook = toWebhook(row, now);
      const { tenantId, projectId, mode } = row;
      const event = { kind: webhookUpdated, data: withoutUrlQuery(webhook) };
      await recordEvent(tx, { tenantId, projectId, mode, at: now }, event);
      const details = { previous_secret_until: webhook.previous_secret_until };
      await recordAudit(tx, ctx, { action: "webhook.secret_rotated", targets: [webhookTarget(row)], details });
      return { ...webhook, secret };
    });
  },
});
