import { deployFunction } from "../../../server/cloud/compute/functions/deploy-function";
import { recordExit, recordRunStart } from "../../../server/cloud/compute/pods/record-run";
import { activateService } from "../../../server/cloud/core/resources/activate-service";
import { sendMessages } from "../../../server/cloud/data/queues/send-messages";
import { testWebhook } from "../../../server/cloud/events/webhooks/test-webhook";
import { putBillingBudget } from "../../../server/cloud/money/billing/put-billing-budget";
import { createApiKey } from "../../../server/identity/api-keys/create-api-key";
import type { AccountScene } from "../account-scene";
import type { TestApp } from "../app";
import { makeCheckpoint, makeShieldScan } from "../cloud-rows";
import { type Change, inProject, inTest, type Prepared, to } from "./change";

const RUNTIME = { kind: "namespaces", isolation: "", limits_enforced: true, gpu: "none" as const };

const HIDDEN_IN_FUNCTION = {
  env: { PASSWORD: "token=hidden" },
  schedule: { cron: "0 6 * * *", payload: { password: "token=hidden" } },
};

/** Its smoke run has what it prints. */
const HIDDEN_IN_EDGE_FUNCTION = {
  env: { PASSWORD: "token=hidden" },
  code: "export default { fetch: (_, env) => new Response(console.log(env.PASSWORD) ?? '') };",
};

async function toInstance(
  s: AccountScene,
  { engines }: TestApp,
  fields: Record<string, unknown> = {},
): Promise<Prepared> {
  const rid = await s.instance("ready");
  const { projectId } = await engines.db.resource.findUniqueOrThrow({ where: { id: rid } });
  return { input: { rid, ...fields }, marks: inTest(projectId) };
}

export const CLOUD_CHANGES: readonly Change[] = [
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
  {
    operation: "createPod",
    actions: ["pod.created"],
    events: ["pod.created"],
    prepare: (s) => inProject(s, { image: "alpine", env: { PASSWORD: "token=hidden" } }),
  },
  {
    operation: "stopPod",
    actions: ["pod.stop_requested"],
    prepare: async (s) => to(await s.pod()),
  },
  {
    operation: "startPod",
    actions: ["pod.started"],
    prepare: async (s, test) => {
      const { id } = await s.pod();
      await recordExit(test.app.cloud, `${id}-1`, { endedAt: test.clock.now(), outcome: "fail" });
      return { input: { id } };
    },
  },
  {
    operation: "deletePod",
    actions: ["pod.deleted"],
    events: ["pod.deleted"],
    prepare: async (s) => to(await s.pod()),
  },
  {
    operation: "checkpointPod",
    actions: ["pod.checkpoint_requested"],
    prepare: async (s, test) => {
      const { id } = await s.pod();
      await recordRunStart(test.app.cloud, `${id}-1`, { startedAt: test.clock.now(), runtime: RUNTIME });
      return { input: { id } };
    },
  },
  {
    operation: "deletePodCheckpoint",
    actions: ["pod.checkpoint_deleted"],
    prepare: async (s, test) => {
      const { id } = await s.pod();
      return { input: { id, checkpoint_id: await makeCheckpoint(test.app.cloud, id) } };
    },
  },
  {
    operation: "deleteSandbox",
    actions: ["sandbox.deleted"],
    events: ["sandbox.ended"],
    prepare: async (s) => to(await s.sandbox()),
  },
  {
    operation: "stopWorkspace",
    actions: ["workspace.stop_requested"],
    prepare: async (s) => to(await s.workspace()),
  },
  {
    operation: "deleteWorkspace",
    actions: ["workspace.deleted"],
    events: ["workspace.deleted"],
    prepare: async (s) => to(await s.workspace()),
  },
  {
    operation: "putBillingBudget",
    actions: ["billing_budget.updated"],
    prepare: () => ({ input: { amount_micros: Math.ceil(Math.random() * 1e9) } }),
  },
  {
    operation: "deleteBillingBudget",
    actions: ["billing_budget.deleted"],
    prepare: async (s) => {
      await putBillingBudget.run(s.owner, putBillingBudget.input.parse({ amount_micros: 1_000_000 }));
      return { input: {} };
    },
  },
  {
    operation: "createReservation",
    actions: ["reservation.created"],
    events: ["reservation.created", "reservation.started"],
    prepare: (s) => inProject(s, { gpu: "l40s", count: 1, duration: "30d" }),
  },
  {
    operation: "cancelReservation",
    actions: ["reservation.canceled"],
    events: ["reservation.canceled"],
    prepare: async (s) => to(await s.reservation()),
  },
  {
    operation: "createShieldScan",
    actions: ["shield_scan.created"],
    events: ["shield_scan.created"],
    prepare: async (s) => to(await s.bucket(), {}, "bucket"),
  },
  {
    operation: "cancelShieldScan",
    actions: ["shield_scan.canceled"],
    events: ["shield_scan.canceled"],
    prepare: async (s, test) => {
      const { project_id: projectId } = await s.bucket();
      const owner = { tenantId: s.owner.actor.tenantId, projectId, mode: "test" as const };
      return { input: { scan_id: (await makeShieldScan(test.app.cloud, owner)).id }, marks: inTest(projectId) };
    },
  },
  {
    operation: "createQueue",
    actions: ["queue.created"],
    events: ["queue.created"],
    prepare: (s) => inProject(s, { name: s.unique("queue") }),
  },
  {
    operation: "updateQueue",
    actions: ["queue.updated"],
    events: ["queue.updated"],
    prepare: async (s) => to(await s.queue(), { max_receives: 9 }, "q"),
  },
  {
    operation: "deleteQueue",
    actions: ["queue.deleted"],
    events: ["queue.deleted"],
    prepare: async (s) => to(await s.queue(), {}, "q"),
  },
  {
    operation: "purgeQueue",
    actions: ["queue.purged"],
    events: ["queue.purged"],
    prepare: async (s) => to(await s.queue(), {}, "q"),
  },
  {
    operation: "redriveMessages",
    actions: ["queue.redriven"],
    prepare: async (s) => {
      const [{ id: q }, { id: target }] = [await s.queue(), await s.queue()];
      await sendMessages.run(s.owner, sendMessages.input.parse({ q, body: "x" }));
      return { input: { q, target } };
    },
  },
  {
    operation: "createBucket",
    actions: ["bucket.created"],
    events: ["bucket.created"],
    prepare: (s) => inProject(s, { name: s.unique("bucket") }),
  },
  {
    operation: "updateBucket",
    actions: ["bucket.updated"],
    events: ["bucket.updated"],
    prepare: async (s) => to(await s.bucket(), { public_read: true }, "bucket"),
  },
  {
    operation: "deleteBucket",
    actions: ["bucket.deleted"],
    events: ["bucket.deleted"],
    prepare: async (s) => to(await s.bucket(), {}, "bucket"),
  },
  {
    operation: "createStorageCredentials",
    actions: ["storage_credentials.created"],
    prepare: async (s) => {
      const fields = { ...(await s.keyFields()), scopes: ["storage:read"] };
      return { input: { api_key_id: (await createApiKey.run(s.owner, createApiKey.input.parse(fields))).id } };
    },
  },
  {
    operation: "createChatBudget",
    actions: ["chat_budget.created"],
    events: ["gateway.budget.created"],
    prepare: (s) => inProject(s, { name: s.unique("budget"), tokens: 100, window: "day" }),
  },
  {
    operation: "updateChatBudget",
    actions: ["chat_budget.updated"],
    events: ["gateway.budget.updated"],
    prepare: async (s) => to(await s.budget(), { tokens: 200 }, "budget"),
  },
  {
    operation: "deleteChatBudget",
    actions: ["chat_budget.deleted"],
    events: ["gateway.budget.deleted"],
    prepare: async (s) => to(await s.budget(), {}, "budget"),
  },
  {
    operation: "updateChatSettings",
    actions: ["chat_settings.updated"],
    events: ["gateway.settings.updated"],
    prepare: (s) => inProject(s, { cache_seconds: 60 }),
  },
  {
    operation: "createChatUpstream",
    actions: ["chat_upstream.created"],
    events: ["chat_upstream.created"],
    prepare: (s) =>
      inProject(s, { name: s.unique("upstream"), base_url: "https://api.example/v1", models: [{ name: "m" }] }),
  },
  {
    operation: "updateChatUpstream",
    actions: ["chat_upstream.updated"],
    events: ["chat_upstream.updated"],
    prepare: async (s) => to(await s.chatUpstream(), { weight: 9 }),
  },
  {
    operation: "deleteChatUpstream",
    actions: ["chat_upstream.deleted"],
    events: ["chat_upstream.deleted"],
    prepare: async (s) => to(await s.chatUpstream()),
  },
  {
    operation: "createFunction",
    actions: ["function.created"],
    events: ["function.created"],
    prepare: (s) => inProject(s, { name: s.unique("function"), ...HIDDEN_IN_FUNCTION }),
  },
  {
    operation: "deployFunction",
    actions: ["function.deployed"],
    events: ["function.deployed"],
    prepare: async (s) => to(await s.cloudFunction(), { code: "export default () => 1;" }),
  },
  {
    operation: "restoreFunctionVersion",
    actions: ["function.deployed"],
    events: ["function.deployed"],
    prepare: async (s) => {
      const made = await s.cloudFunction();
      await deployFunction.run(s.owner, { id: made.id, code: "export default () => 1;", handler: "default" });
      return to(made, { version: 1 });
    },
  },
  {
    operation: "updateFunction",
    actions: ["function.updated"],
    events: ["function.updated"],
    prepare: async (s) => to(await s.cloudFunction(), { timeout_ms: 500, ...HIDDEN_IN_FUNCTION }),
  },
  {
    operation: "deleteFunction",
    actions: ["function.deleted"],
    events: ["function.deleted"],
    prepare: async (s) => to(await s.cloudFunction()),
  },
  {
    operation: "createEdgeFunction",
    actions: ["edge_function.created"],
    events: ["edge_function.created"],
    prepare: (s) => inProject(s, { name: s.unique("edge"), ...HIDDEN_IN_EDGE_FUNCTION }),
  },
  {
    operation: "updateEdgeFunction",
    actions: ["edge_function.updated"],
    events: ["edge_function.updated"],
    prepare: async (s) => to(await s.edgeFunction(), { name: s.unique("edge"), ...HIDDEN_IN_EDGE_FUNCTION }),
  },
  {
    operation: "publishEdgeFunction",
    actions: ["edge_function.published"],
    events: ["edge_function.published"],
    prepare: async (s) => to(await s.edgeFunction()),
  },
  {
    operation: "restoreEdgeVersion",
    actions: ["edge_function.published"],
    events: ["edge_function.published"],
    prepare: async (s) => to(await s.edgeFunction(), { version: 1 }),
  },
  {
    operation: "deleteEdgeFunction",
    actions: ["edge_function.deleted"],
    events: ["edge_function.deleted"],
    prepare: async (s) => to(await s.edgeFunction()),
  },
  {
    operation: "activateService",
    actions: ["activation.created"],
    prepare: async (s) => {
      await s.deactivate();
      return { input: { service: "dfs" } };
    },
  },
  {
    operation: "deactivateService",
    actions: ["activation.deleted"],
    prepare: async (s) => {
      await activateService.run(s.owner, activateService.input.parse({ service: "dfs" }));
      return { input: { service: "dfs" } };
    },
  },
  {
    operation: "updateResource",
    actions: ["resource.updated"],
    events: ["resource.updated"],
    prepare: async (s, test) => {
      const spec = { sku: "Genoa", image_id: "debian-12", memory_mb: 64, running: false };
      return toInstance(s, test, { spec });
    },
  },
  {
    operation: "stopInstance",
    actions: ["resource.updated"],
    events: ["resource.updated"],
    prepare: (s, test) => toInstance(s, test),
  },
  {
    operation: "createVolumeSnapshot",
    actions: ["resource.snapshot_requested"],
    prepare: async (s) => ({ input: { rid: await s.sharedVolume() } }),
  },
  {
    operation: "deleteVolumeSnapshot",
    actions: ["resource.snapshot_deleted"],
    prepare: async (s) => {
      const rid = await s.sharedVolume();
      return { input: { rid, snapshot_id: await s.volumeSnapshot(rid) } };
    },
  },
  {
    operation: "deleteResource",
    actions: ["resource.deletion_started", "resource.deleted"],
    events: ["resource.deleted"],
    prepare: (s, test) => toInstance(s, test),
  },
  {
    operation: "deleteInstance",
    actions: ["resource.deletion_started", "resource.deleted"],
    events: ["resource.deleted"],
    prepare: (s, test) => toInstance(s, test),
  },
  {
    operation: "createSecret",
    actions: ["secret.created"],
    events: ["secret.created"],
    prepare: (s) => inProject(s, { name: s.unique("secret"), value: "v" }),
  },
  {
    operation: "putSecret",
    actions: ["secret.updated"],
    events: ["secret.updated"],
    prepare: async (s) => to(await s.secret(), { value: "v" }, "name"),
  },
  {
    operation: "revealSecret",
    actions: ["secret.revealed"],
    prepare: async (s) => to(await s.secret(), {}, "name"),
  },
  {
    operation: "deleteSecret",
    actions: ["secret.deleted"],
    events: ["secret.deleted"],
    prepare: async (s) => to(await s.secret(), {}, "name"),
  },
];
