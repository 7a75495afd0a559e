import { testWebhook } from "../../../server/cloud/events/webhooks/test-webhook";
import { type Change, inProject, to } from "./change";

export const changes: readonly Change[] = [
  {
    operation: "createWebhook",
    actions: ["webhook.created"],
    events: ["webhook.created"],
    prepare: (s) => inProject(s, { name: "Orders", url: "https://receiver.example/?token=hidden", events: ["*"] }),
  },
  {
    operation: "updateWebhook",
    actions: ["webhook.updated"],
    events: ["webhook.disabled", "webhook.updated"],
    prepare: async (s) => to(await s.webhook(), { status: "disabled" }),
  },
  {
    operation: "deleteWebhook",
    actions: ["webhook.deleted"],
    events: ["webhook.deleted"],
    prepare: async (s) => to(await s.webhook()),
  },
  {
    operation: "rotateWebhookSecret",
    actions: ["webhook.secret_rotated"],
    events: ["webhook.updated"],
    prepare: async (s) => to(await s.webhook()),
  },
  {
    operation: "testWebhook",
    actions: ["webhook.tested"],
    events: ["advertiser.approved"],
    prepare: async (s) => to(await s.webhook()),
  },
  {
    operation: "replayWebhookDelivery",
    actions: ["webhook_delivery.replayed"],
    prepare: async (s) => {
      const { id } = await s.webhook();
      const { id: delivery_id } = await testWebhook.run(s.owner, { id });
      return { input: { id, delivery_id } };
    },
  },
  {
    operation: "replayWebhookDeliveries",
    actions: ["webhook_delivery.replayed"],
    prepare: async (s) => ({
      input: { id: (await s.webhook()).id, from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" },
    }),
  },
];
