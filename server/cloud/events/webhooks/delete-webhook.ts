import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { recordEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { operation } from "../../cloud-operation";
import { ownWebhook, toWebhook, webhookTarget, withoutUrlQuery } from "./webhook";
import { webhookDeleted } from "./webhook.events";
import { webhookExample } from "./webhook.example";
import { failPending, lockWebhook } from "./webhook.sql";

export const DeleteWebhook = z.strictObject({ id: IdText });

/** Deletes a webhook with its secrets; nothing more is sent to it. Throws `not_found`, also if it is deleted already. */
export const deleteWebhook = operation({
  id: "deleteWebhook",
  summary: "Delete a webhook",
  access: "webhooks:write",
  input: DeleteWebhook,
  output: z.void(),
  example: { input: { id: webhookExample.id }, output: undefined },
  run: async (ctx: ActorCtx, { id }) => {
    const { db, clock, actor } = ctx;
    const now = clock.now();
    await db.$transaction(async (tx) => {
      await lockWebhook(tx, id);
      const row = await ownWebhook({ db: tx, actor }, id);
      await tx.webhook.update({
        where: { id },
        data: { deletedAt: now, updatedAt: now, sealedSecret: "", sealedPreviousSecret: null },
      });
      await failPending(tx, { webhookId: id, reason: "The webhook was deleted.", now });
      const { tenantId, projectId, mode } = row;
      const data = withoutUrlQuery(toWebhook(row, now));
      await recordEvent(tx, { tenantId, projectId, mode, at: now }, { kind: webhookDeleted, data });
      await recordAudit(tx, ctx, { action: "webhook.deleted", targets: [webhookTarget(row)], details: data });
    });
  },
});
