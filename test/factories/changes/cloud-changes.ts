import { deployFunction } from "../../../server/cloud/compute/functions/deploy-function";
import { settleEnd, settleStart } from "../../../server/cloud/compute/pods/settle-run";
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
    ...{
      row: "createWebhook",
      mutation: "cloud.webhooks.create",
      actions: ["webhook.created"],
      events: ["webhook.created"],
    },
    prepare: (s) => inProject(s, { name: "Orders", url: "https://receiver.example/?token=hidden", events: ["*"] }),
  },
  {
    ...{
      row: "updateWebhook",
      mutation: "cloud.webhooks.update",
      actions: ["webhook.updated"],
      events: ["webhook.disabled", "webhook.updated"],
    },
    prepare: async (s) => to(await s.webhook(), { status: "disabled" }),
  },
  {
    ...{
      row: "deleteWebhook",
      mutation: "cloud.webhooks.delete",
      actions: ["webhook.deleted"],
      events: ["webhook.deleted"],
    },
    prepare: async (s) => to(await s.webhook()),
  },
  {
    ...{
      row: "rotateWebhookSecret",
      mutation: "cloud.webhooks.rotateSecret",
      actions: ["webhook.secret_rotated"],
      events: ["webhook.updated"],
    },
    prepare: async (s) => to(await s.webhook()),
  },
  {
    ...{
      row: "testWebhook",
      mutation: "cloud.webhooks.test",
      actions: ["webhook.tested"],
      events: ["advertiser.approved"],
    },
    prepare: async (s) => to(await s.webhook()),
  },
  {
    ...{ row: "replayWebhookDelivery", mutation: "cloud.webhooks.replay", actions: ["webhook_delivery.replayed"] },
    prepare: async (s) => {
      const { id } = await s.webhook();
      const { id: delivery_id } = await testWebhook.run(s.owner, { id });
      return { input: { id, delivery_id } };
    },
  },
  {
    ...{
      row: "replayWebhookDeliveries",
      mutation: "cloud.webhooks.replayRange",
      actions: ["webhook_delivery.replayed"],
    },
    prepare: async (s) => ({
      input: { id: (await s.webhook()).id, from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" },
    }),
  },
  {
    ...{ row: "createPod", mutation: "cloud.pods.create", actions: ["pod.created"], events: ["pod.created"] },
    prepare: (s) => inProject(s, { image: "alpine", env: { PASSWORD: "token=hidden" } }),
  },
  {
    ...{ row: "stopPod", mutation: "cloud.pods.stop", actions: ["pod.stop_requested"] },
    prepare: async (s) => to(await s.pod()),
  },
  {
    ...{ row: "startPod", mutation: "cloud.pods.start", actions: ["pod.started"] },
    prepare: async (s, test) => {
      const { id } = await s.pod();
      await settleEnd(test.app.cloud, `${id}-1`, { endedAt: test.clock.now(), outcome: "fail" });
      return { input: { id } };
    },
  },
  {
    ...{ row: "deletePod", mutation: "cloud.pods.delete", actions: ["pod.deleted"], events: ["pod.deleted"] },
    prepare: async (s) => to(await s.pod()),
  },
  {
    ...{ row: "checkpointPod", mutation: "cloud.pods.checkpoint", actions: ["pod.checkpoint_requested"] },
    prepare: async (s, test) => {
      const { id } = await s.pod();
      await settleStart(test.app.cloud, `${id}-1`, { startedAt: test.clock.now(), runtime: RUNTIME });
      return { input: { id } };
    },
  },
  {
    ...{ row: "deletePodCheckpoint", mutation: "cloud.pods.deleteCheckpoint", actions: ["pod.checkpoint_deleted"] },
    prepare: async (s, test) => {
      const { id } = await s.pod();
      return { input: { id, checkpoint_id: await makeCheckpoint(test.app.cloud, id) } };
    },
  },
  {
    ...{
      row: "deleteSandbox",
      mutation: "cloud.sandboxes.delete",
      actions: ["sandbox.deleted"],
      events: ["sandbox.ended"],
    },
    prepare: async (s) => to(await s.sandbox()),
  },
  {
    ...{ row: "stopWorkspace", mutation: "cloud.workspaces.stop", actions: ["workspace.stop_requested"] },
    prepare: async (s) => to(await s.workspace()),
  },
  {
    ...{
      row: "deleteWorkspace",
      mutation: "cloud.workspaces.delete",
      actions: ["workspace.deleted"],
      events: ["workspace.deleted"],
    },
    prepare: async (s) => to(await s.workspace()),
  },
  {
    ...{ row: "putBillingBudget", mutation: "cloud.billing.setBudget", actions: ["billing_budget.updated"] },
    prepare: () => ({ input: { amount_micros: Math.ceil(Math.random() * 1e9) } }),
  },
  {
    ...{ row: "deleteBillingBudget", mutation: "cloud.billing.deleteBudget", actions: ["billing_budget.deleted"] },
    prepare: async (s) => {
      await putBillingBudget.run(s.owner, putBillingBudget.input.parse({ amount_micros: 1_000_000 }));
      return { input: {} };
    },
  },
  {
    ...{
      row: "createReservation",
      mutation: "cloud.reservations.create",
      actions: ["reservation.created"],
      events: ["reservation.created", "reservation.started"],
    },
    prepare: (s) => inProject(s, { gpu: "l40s", count: 1, duration: "30d" }),
  },
  {
    ...{
      row: "cancelReservation",
      mutation: "cloud.reservations.cancel",
      actions: ["reservation.canceled"],
      events: ["reservation.canceled"],
    },
    prepare: async (s) => to(await s.reservation()),
  },
  {
    ...{
      row: "createShieldScan",
      mutation: "cloud.shield.scan",
      actions: ["shield_scan.created"],
      events: ["shield_scan.created"],
    },
    prepare: async (s) => to(await s.bucket(), {}, "bucket"),
  },
  {
    ...{
      row: "cancelShieldScan",
      mutation: "cloud.shield.cancel",
      actions: ["shield_scan.canceled"],
      events: ["shield_scan.canceled"],
    },
    prepare: async (s, test) => {
      const { project_id: projectId } = await s.bucket();
      const owner = { tenantId: s.owner.actor.tenantId, projectId, mode: "test" as const };
      return { input: { scan_id: (await makeShieldScan(test.app.cloud, owner)).id }, marks: inTest(projectId) };
    },
  },
  {
    ...{ row: "createQueue", mutation: "cloud.queues.create", actions: ["queue.created"], events: ["queue.created"] },
    prepare: (s) => inProject(s, { name: s.unique("queue") }),
  },
  {
    ...{ row: "updateQueue", mutation: "cloud.queues.update", actions: ["queue.updated"], events: ["queue.updated"] },
    prepare: async (s) => to(await s.queue(), { max_receives: 9 }, "q"),
  },
  {
    ...{ row: "deleteQueue", mutation: "cloud.queues.delete", actions: ["queue.deleted"], events: ["queue.deleted"] },
    prepare: async (s) => to(await s.queue(), {}, "q"),
  },
  {
    ...{ row: "purgeQueue", mutation: "cloud.queues.purge", actions: ["queue.purged"], events: ["queue.purged"] },
    prepare: async (s) => to(await s.queue(), {}, "q"),
  },
  {
    ...{ row: "redriveMessages", mutation: "cloud.queues.redrive", actions: ["queue.redriven"] },
    prepare: async (s) => {
      const [{ id: q }, { id: target }] = [await s.queue(), await s.queue()];
      await sendMessages.run(s.owner, sendMessages.input.parse({ q, body: "x" }));
      return { input: { q, target } };
    },
  },
  {
    ...{
      row: "createBucket",
      mutation: "cloud.storage.createBucket",
      actions: ["bucket.created"],
      events: ["bucket.created"],
    },
    prepare: (s) => inProject(s, { name: s.unique("bucket") }),
  },
  {
    ...{
      row: "updateBucket",
      mutation: "cloud.storage.updateBucket",
      actions: ["bucket.updated"],
      events: ["bucket.updated"],
    },
    prepare: async (s) => to(await s.bucket(), { public_read: true }, "bucket"),
  },
  {
    ...{
      row: "deleteBucket",
      mutation: "cloud.storage.deleteBucket",
      actions: ["bucket.deleted"],
      events: ["bucket.deleted"],
    },
    prepare: async (s) => to(await s.bucket(), {}, "bucket"),
  },
  {
    ...{ row: "createStorageCredentials", mutation: "cloud.storage.createCredentials" },
    actions: ["storage_credentials.created"],
    prepare: async (s) => {
      const fields = { ...(await s.keyFields()), scopes: ["storage:read"] };
      return { input: { api_key_id: (await createApiKey.run(s.owner, createApiKey.input.parse(fields))).id } };
    },
  },
  {
    ...{
      row: "createChatBudget",
      mutation: "cloud.gateway.budgets.create",
      actions: ["chat_budget.created"],
      events: ["gateway.budget.created"],
    },
    prepare: (s) => inProject(s, { name: s.unique("budget"), tokens: 100, window: "day" }),
  },
  {
    ...{
      row: "updateChatBudget",
      mutation: "cloud.gateway.budgets.update",
      actions: ["chat_budget.updated"],
      events: ["gateway.budget.updated"],
    },
    prepare: async (s) => to(await s.budget(), { tokens: 200 }, "budget"),
  },
  {
    ...{
      row: "deleteChatBudget",
      mutation: "cloud.gateway.budgets.delete",
      actions: ["chat_budget.deleted"],
      events: ["gateway.budget.deleted"],
    },
    prepare: async (s) => to(await s.budget(), {}, "budget"),
  },
  {
    ...{
      row: "updateChatSettings",
      mutation: "cloud.gateway.settings.update",
      actions: ["chat_settings.updated"],
      events: ["gateway.settings.updated"],
    },
    prepare: (s) => inProject(s, { cache_seconds: 60 }),
  },
  {
    ...{
      row: "createChatUpstream",
      mutation: "cloud.gateway.upstreams.create",
      actions: ["chat_upstream.created"],
      events: ["chat_upstream.created"],
    },
    prepare: (s) =>
      inProject(s, { name: s.unique("upstream"), base_url: "https://api.example/v1", models: [{ name: "m" }] }),
  },
  {
    ...{
      row: "updateChatUpstream",
      mutation: "cloud.gateway.upstreams.update",
      actions: ["chat_upstream.updated"],
      events: ["chat_upstream.updated"],
    },
    prepare: async (s) => to(await s.chatUpstream(), { weight: 9 }),
  },
  {
    ...{
      row: "deleteChatUpstream",
      mutation: "cloud.gateway.upstreams.delete",
      actions: ["chat_upstream.deleted"],
      events: ["chat_upstream.deleted"],
    },
    prepare: async (s) => to(await s.chatUpstream()),
  },
  {
    ...{
      row: "createFunction",
      mutation: "cloud.functions.create",
      actions: ["function.created"],
      events: ["function.created"],
    },
    prepare: (s) => inProject(s, { name: s.unique("function"), ...HIDDEN_IN_FUNCTION }),
  },
  {
    ...{
      row: "deployFunction",
      mutation: "cloud.functions.deploy",
      actions: ["function.deployed"],
      events: ["function.deployed"],
    },
    prepare: async (s) => to(await s.cloudFunction(), { code: "export default () => 1;" }),
  },
  {
    ...{
      row: "restoreFunctionVersion",
      mutation: "cloud.functions.restore",
      actions: ["function.deployed"],
      events: ["function.deployed"],
    },
    prepare: async (s) => {
      const made = await s.cloudFunction();
      await deployFunction.run(s.owner, { id: made.id, code: "export default () => 1;", handler: "default" });
      return to(made, { version: 1 });
    },
  },
  {
    ...{
      row: "updateFunction",
      mutation: "cloud.functions.update",
      actions: ["function.updated"],
      events: ["function.updated"],
    },
    prepare: async (s) => to(await s.cloudFunction(), { timeout_ms: 500, ...HIDDEN_IN_FUNCTION }),
  },
  {
    ...{
      row: "deleteFunction",
      mutation: "cloud.functions.delete",
      actions: ["function.deleted"],
      events: ["function.deleted"],
    },
    prepare: async (s) => to(await s.cloudFunction()),
  },
  {
    ...{
      row: "createEdgeFunction",
      mutation: "cloud.edge.create",
      actions: ["edge_function.created"],
      events: ["edge_function.created"],
    },
    prepare: (s) => inProject(s, { name: s.unique("edge"), ...HIDDEN_IN_EDGE_FUNCTION }),
  },
  {
    ...{
      row: "updateEdgeFunction",
      mutation: "cloud.edge.update",
      actions: ["edge_function.updated"],
      events: ["edge_function.updated"],
    },
    prepare: async (s) => to(await s.edgeFunction(), { name: s.unique("edge"), ...HIDDEN_IN_EDGE_FUNCTION }),
  },
  {
    ...{
      row: "publishEdgeFunction",
      mutation: "cloud.edge.publish",
      actions: ["edge_function.published"],
      events: ["edge_function.published"],
    },
    prepare: async (s) => to(await s.edgeFunction()),
  },
  {
    ...{
      row: "restoreEdgeVersion",
      mutation: "cloud.edge.restore",
      actions: ["edge_function.published"],
      events: ["edge_function.published"],
    },
    prepare: async (s) => to(await s.edgeFunction(), { version: 1 }),
  },
  {
    ...{
      row: "deleteEdgeFunction",
      mutation: "cloud.edge.delete",
      actions: ["edge_function.deleted"],
      events: ["edge_function.deleted"],
    },
    prepare: async (s) => to(await s.edgeFunction()),
  },
  {
    ...{ row: "activateService", mutation: "cloud.activations.activate", actions: ["activation.created"] },
    prepare: async (s) => {
      await s.deactivate();
      return { input: { service: "dfs" } };
    },
  },
  {
    ...{ row: "deactivateService", mutation: "cloud.activations.deactivate", actions: ["activation.deleted"] },
    prepare: async (s) => {
      await activateService.run(s.owner, activateService.input.parse({ service: "dfs" }));
      return { input: { service: "dfs" } };
    },
  },
  {
    ...{
      row: "updateResource",
      mutation: "cloud.resources.update",
      actions: ["resource.updated"],
      events: ["resource.updated"],
    },
    prepare: async (s, test) => {
      const spec = { sku: "Genoa", image_id: "debian-12", memory_mb: 64, running: false };
      return toInstance(s, test, { spec });
    },
  },
  {
    ...{
      row: "stopInstance",
      mutation: "cloud.instances.stop",
      actions: ["resource.updated"],
      events: ["resource.updated"],
    },
    prepare: (s, test) => toInstance(s, test),
  },
  {
    ...{ row: "createVolumeSnapshot", actions: ["resource.snapshot_requested"] },
    prepare: async (s) => ({ input: { rid: await s.sharedVolume() } }),
  },
  {
    ...{ row: "deleteVolumeSnapshot", actions: ["resource.snapshot_deleted"] },
    prepare: async (s) => {
      const rid = await s.sharedVolume();
      return { input: { rid, snapshot_id: await s.volumeSnapshot(rid) } };
    },
  },
  {
    ...{ row: "deleteResource", mutation: "cloud.resources.delete" },
    actions: ["resource.deletion_started", "resource.deleted"],
    events: ["resource.deleted"],
    prepare: (s, test) => toInstance(s, test),
  },
  {
    ...{
      row: "deleteInstance",
      actions: ["resource.deletion_started", "resource.deleted"],
      events: ["resource.deleted"],
    },
    prepare: (s, test) => toInstance(s, test),
  },
  {
    ...{
      row: "createSecret",
      mutation: "cloud.secrets.create",
      actions: ["secret.created"],
      events: ["secret.created"],
    },
    prepare: (s) => inProject(s, { name: s.unique("secret"), value: "v" }),
  },
  {
    ...{ row: "putSecret", mutation: "cloud.secrets.put", actions: ["secret.updated"], events: ["secret.updated"] },
    prepare: async (s) => to(await s.secret(), { value: "v" }, "name"),
  },
  {
    ...{ mutation: "cloud.secrets.reveal", actions: ["secret.revealed"] },
    prepare: async (s) => to(await s.secret(), {}, "name"),
  },
  {
    ...{
      row: "deleteSecret",
      mutation: "cloud.secrets.delete",
      actions: ["secret.deleted"],
      events: ["secret.deleted"],
    },
    prepare: async (s) => to(await s.secret(), {}, "name"),
  },
];
