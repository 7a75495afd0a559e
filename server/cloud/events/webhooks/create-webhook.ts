import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { recordEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFields } from "../../../identity/owner-fields";
import { findProject } from "../../../identity/projects/find-project";
import { NameText } from "../../../identity/wire-text";
import { newId } from "../../../kernel/ids";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { assertKnownKinds, Subscriptions } from "./subscription";
import { toWebhook, WebhookWithSecret, webhookTarget, withoutUrlQuery } from "./webhook";
import { webhookCreated } from "./webhook.events";
import { EXAMPLE_SECRET, webhookExample } from "./webhook.example";
import type { WebhookCtx } from "./webhook-ctx";
import { newSecret, sealSecret } from "./webhook-secret";
import { assertUrl, WebhookUrl } from "./webhook-url";
import { WEBHOOK_QUOTAS } from "./webhooks.quotas";

/**
 * Creates a webhook; the response is the only place that shows its secret. Throws `not_found` for the project,
 * `invalid_request` for a URL that cannot be requested and an unknown kind of event, and `quota_exceeded`.
 */
export const createWebhook = operation({
  id: "createWebhook",
  summary: "Create a webhook; its secret is shown once",
  access: "webhooks:write",
  idempotent: true,
  result: "created",
  quota: WEBHOOK_QUOTAS.webhooks,
  input: z.strictObject({
    name: NameText,
    url: WebhookUrl.describe("An https URL on a public host, with any port"),
    events: Subscriptions,
    ...ownerFields,
  }),
  output: WebhookWithSecret,
  example: {
    input: { name: webhookExample.name, url: webhookExample.url, events: webhookExample.events, mode: "live" },
    output: { ...webhookExample, secret: EXAMPLE_SECRET },
  },
  run: async (ctx: ActorCtx & Pick<WebhookCtx, "encryptionKey" | "eventKinds" | "urlPolicy">, input) => {
    const { db, clock, actor, encryptionKey, eventKinds, urlPolicy } = ctx;
    assertUrl(input.url, urlPolicy);
    assertKnownKinds(eventKinds, input.events);
    const [now, secret] = [clock.now(), newSecret()];
    const id = newId("whk", now.getTime());
    const created = await db.$transaction(async (tx) => {
      const project = await findProject(tx, actor, input.project);
      const owner = { tenantId: actor.tenantId, projectId: project.id, mode: modeOf(actor, input.mode) };
      const row = await tx.webhook.create({
        data: {
          ...owner,
          id,
          name: input.name,
          url: input.url,
          events: input.events,
          sealedSecret: sealSecret(encryptionKey, id, secret),
          createdAt: now,
          updatedAt: now,
        },
      });
      const webhook = toWebhook(row, now);
      const details = withoutUrlQuery(webhook);
      await recordEvent(tx, { ...owner, at: now }, { kind: webhookCreated, data: details });
      await recordAudit(tx, ctx, { action: "webhook.created", targets: [webhookTarget(row)], details });
      return webhook;
    });
    return { ...created, secret };
  },
});
