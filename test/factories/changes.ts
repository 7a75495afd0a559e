import { deleteAdvertiser } from "../../server/ads/advertisers/delete-advertiser";
import { deleteCampaign } from "../../server/ads/campaigns/delete-campaign";
import { deleteChannel } from "../../server/ads/channels/delete-channel";
import { deleteCreative } from "../../server/ads/creatives/delete-creative";
import { deleteProduct } from "../../server/ads/products/delete-product";
import { putBillingBudget } from "../../server/cloud/billing/put-billing-budget";
import { deployFunction } from "../../server/cloud/functions/deploy-function";
import { settleEnd, settleStart } from "../../server/cloud/pods/settle-run";
import { sendMessages } from "../../server/cloud/queues/send-messages";
import { activateService } from "../../server/cloud/resources/activate-service";
import { testWebhook } from "../../server/cloud/webhooks/test-webhook";
import { createApiKey } from "../../server/identity/api-keys/create-api-key";
import { acceptInvitation } from "../../server/identity/invitations/accept-invitation";
import { sendPasswordReset } from "../../server/identity/passwords/send-password-reset";
import { deleteProject } from "../../server/identity/projects/delete-project";
import { createSessionToken } from "../../server/identity/session-tokens/create-session-token";
import type { Mode } from "../../server/operation/actor";
import { type AccountScene, CREATIVE, type LoggedIn } from "./account-scene";
import { TEST_REQUEST, type TestApp } from "./app";
import { makeCheckpoint, makeShieldScan } from "./cloud-rows";
import { PASSWORD } from "./identity";

/** Nothing is ever fetched from it. */
const FEED_URL = "https://shop.example/feed.csv";

/** Of what events are marked with; a null project is that of something that belongs to the tenant. */
export interface Marks {
  mode: Mode;
  projectId: string | null;
}

export interface Prepared {
  input?: Record<string, unknown>;
  /** Default: the owner of the scene. */
  as?: LoggedIn;
  /** What the person's browser sends along. */
  cookies?: string;
  /** Default: the tenant, in live mode. */
  marks?: Marks;
}

/** What an operation changes, by its endpoint, by its procedure of the dashboard, or both. */
export interface Change {
  row?: string;
  mutation?: string;
  /** Of the entries that it leaves in audit logs, in order. */
  actions: string[];
  /** The types of the events that it records, in order; default: none. */
  events?: string[];
  prepare: (scene: AccountScene, test: TestApp) => Promise<Prepared> | Prepared;
}

const inTest = (projectId: string | null = null): Marks => ({ mode: "test", projectId });

/** The input of something that is made in a project of its own. */
async function inProject(s: AccountScene, fields: Record<string, unknown>): Promise<Prepared> {
  const { id } = await s.project();
  return { input: { ...fields, project: id }, marks: inTest(id) };
}

/** The input of something that is done to a thing; `name` is the parameter that names it. */
const to = (
  { id, project_id }: { id: string; project_id?: string | null },
  fields: Record<string, unknown> = {},
  name = "id",
): Prepared => ({ input: { [name]: id, ...fields }, marks: inTest(project_id ?? null) });

async function toInstance(
  s: AccountScene,
  { engines }: TestApp,
  fields: Record<string, unknown> = {},
): Promise<Prepared> {
  const rid = await s.instance("ready");
  const { projectId } = await engines.db.resource.findUniqueOrThrow({ where: { id: rid } });
  return { input: { rid, ...fields }, marks: inTest(projectId) };
}

const RUNTIME = { kind: "namespaces", isolation: "", limits_enforced: true, gpu: "none" as const };

export const CHANGES: readonly Change[] = [
  {
    ...{ row: "createChannel", mutation: "channels.create", actions: ["channel.created"] },
    prepare: () => ({ input: { name: "Shop" } }),
  },
  {
    ...{ mutation: "channels.copy", actions: ["channel.created"] },
    prepare: async (s) => ({ input: { id: (await s.channel()).id } }),
  },
  {
    ...{ row: "updateChannel", mutation: "channels.update", actions: ["channel.updated"] },
    prepare: async (s) => ({ input: { id: (await s.channel()).id, name: "Store" } }),
  },
  {
    ...{ row: "deleteChannel", mutation: "channels.delete", actions: ["channel.archived"] },
    prepare: async (s) => ({ input: { id: (await s.channel()).id } }),
  },
  {
    ...{ row: "restoreChannel", mutation: "channels.restore", actions: ["channel.restored"] },
    prepare: async (s) => {
      const input = { id: (await s.channel()).id };
      await deleteChannel.run(s.owner, input);
      return { input };
    },
  },
  {
    ...{ row: "createChannelKey", mutation: "channels.createKey", actions: ["channel_key.created"] },
    prepare: async (s) => ({ input: { id: (await s.channel()).id, kind: "server" } }),
  },
  {
    ...{ row: "revokeChannelKey", mutation: "channels.revokeKey", actions: ["channel_key.revoked"] },
    prepare: async (s) => ({ input: await s.channelKey() }),
  },
  {
    ...{ row: "createAdvertiser", mutation: "advertisers.create", actions: ["advertiser.created"] },
    prepare: () => ({ input: { name: "Acme" } }),
  },
  {
    ...{ row: "updateAdvertiser", mutation: "advertisers.update", actions: ["advertiser.updated"] },
    prepare: async (s) => ({ input: { id: (await s.advertiser()).id, domain: "acme.example" } }),
  },
  {
    ...{ row: "verifyAdvertiserDomain", mutation: "advertisers.verifyDomain", actions: ["advertiser.domain_verified"] },
    prepare: async (s) => ({ input: { id: (await s.advertiser({ domain: "acme.example" })).id } }),
  },
  {
    ...{
      row: "requestAdvertiserReview",
      mutation: "advertisers.requestReview",
      actions: ["advertiser.review_requested"],
    },
    prepare: async (s) => ({ input: { id: (await s.verifiedAdvertiser()).id } }),
  },
  {
    ...{ row: "deleteAdvertiser", mutation: "advertisers.delete", actions: ["advertiser.archived"] },
    prepare: async (s) => ({ input: { id: (await s.advertiser()).id } }),
  },
  {
    ...{ row: "restoreAdvertiser", mutation: "advertisers.restore", actions: ["advertiser.restored"] },
    prepare: async (s) => {
      const input = { id: (await s.advertiser()).id };
      await deleteAdvertiser.run(s.owner, input);
      return { input };
    },
  },
  {
    ...{
      row: "createCampaign",
      mutation: "campaigns.create",
      actions: ["campaign.created"],
      events: ["campaign.created"],
    },
    prepare: async (s) => ({
      input: { advertiser_id: (await s.advertiser()).id, name: "Winter", model: "cpc", bid_micros: 1000 },
      marks: inTest(),
    }),
  },
  {
    ...{ mutation: "campaigns.copy", actions: ["campaign.created"], events: ["campaign.created"] },
    prepare: async (s) => ({
      input: { id: (await s.campaign()).id, advertiser_id: (await s.advertiser({ mode: "live" })).id },
    }),
  },
  {
    ...{
      row: "updateCampaign",
      mutation: "campaigns.update",
      actions: ["campaign.updated"],
      events: ["campaign.updated"],
    },
    prepare: async (s) => to(await s.campaign(), { targeting: { geos: ["DE"] } }),
  },
  {
    ...{
      row: "deleteCampaign",
      mutation: "campaigns.delete",
      actions: ["campaign.archived"],
      events: ["campaign.archived"],
    },
    prepare: async (s) => to(await s.campaign()),
  },
  {
    ...{
      row: "restoreCampaign",
      mutation: "campaigns.restore",
      actions: ["campaign.restored"],
      events: ["campaign.restored"],
    },
    prepare: async (s) => {
      const campaign = await s.campaign();
      await deleteCampaign.run(s.owner, { id: campaign.id });
      return to(campaign);
    },
  },
  {
    ...{ row: "createCreative", mutation: "campaigns.createCreative", actions: ["creative.created"] },
    prepare: async (s) => ({ input: { id: (await s.campaign()).id, ...CREATIVE } }),
  },
  {
    ...{ row: "updateCreative", mutation: "campaigns.updateCreative", actions: ["creative.updated"] },
    prepare: async (s) => ({ input: { ...(await s.creative()), cta: "Look" } }),
  },
  {
    ...{ row: "deleteCreative", mutation: "campaigns.deleteCreative", actions: ["creative.archived"] },
    prepare: async (s) => ({ input: await s.creative() }),
  },
  {
    ...{ row: "restoreCreative", mutation: "campaigns.restoreCreative", actions: ["creative.restored"] },
    prepare: async (s) => {
      const input = await s.creative();
      await deleteCreative.run(s.owner, input);
      return { input };
    },
  },
  {
    ...{ row: "importProducts", mutation: "campaigns.importProducts", actions: ["product_feed.imported"] },
    prepare: async (s) => ({ input: { id: (await s.campaign()).id } }),
  },
  {
    ...{ row: "setFeedSchedule", mutation: "campaigns.setFeedSchedule", actions: ["feed_schedule.set"] },
    prepare: async (s) => ({ input: { id: (await s.campaign()).id, url: FEED_URL } }),
  },
  {
    ...{ row: "requestFeedFetch", mutation: "campaigns.requestFeedFetch", actions: ["feed_schedule.fetch_requested"] },
    prepare: async (s) => ({ input: { id: await s.scheduledCampaign(FEED_URL) } }),
  },
  {
    ...{ row: "deleteFeedSchedule", mutation: "campaigns.deleteFeedSchedule", actions: ["feed_schedule.deleted"] },
    prepare: async (s) => ({ input: { id: await s.scheduledCampaign(FEED_URL) } }),
  },
  {
    ...{ row: "deleteProduct", mutation: "campaigns.deleteProduct", actions: ["product.archived"] },
    prepare: async (s) => ({ input: await s.product() }),
  },
  {
    ...{ row: "restoreProduct", mutation: "campaigns.restoreProduct", actions: ["product.restored"] },
    prepare: async (s) => {
      const input = await s.product();
      await deleteProduct.run(s.owner, deleteProduct.input.parse(input));
      return { input };
    },
  },
  { row: "eraseUser", actions: ["visitor.erased"], prepare: () => ({ input: { user_id: "u-1" } }) },
  {
    ...{ row: "createKey", mutation: "keys.create", actions: ["api_key.created"], events: ["api_key.created"] },
    prepare: async (s) => {
      const input = await s.keyFields();
      return { input, marks: inTest(input.project) };
    },
  },
  {
    ...{ row: "rotateKey", mutation: "keys.rotate", actions: ["api_key.rotated"], events: ["api_key.rotated"] },
    prepare: async (s) => to(await s.key()),
  },
  {
    ...{ row: "revokeKey", mutation: "keys.revoke", actions: ["api_key.revoked"], events: ["api_key.revoked"] },
    prepare: async (s) => to(await s.key()),
  },
  {
    ...{ row: "createProject", mutation: "projects.create", actions: ["project.created"], events: ["project.created"] },
    prepare: (s) => ({ input: { name: s.unique("project") } }),
  },
  {
    ...{ row: "updateProject", mutation: "projects.update", actions: ["project.updated"], events: ["project.updated"] },
    prepare: async (s) => ({ input: { id: (await s.project()).id, name: s.unique("renamed") } }),
  },
  {
    ...{
      row: "deleteProject",
      mutation: "projects.delete",
      actions: ["project.archived"],
      events: ["project.archived"],
    },
    prepare: async (s) => ({ input: { id: (await s.project()).id } }),
  },
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
    prepare: (s) => inProject(s, { name: s.unique("function") }),
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
    prepare: async (s) => to(await s.cloudFunction(), { timeout_ms: 500 }),
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
    prepare: (s) => inProject(s, { name: s.unique("edge"), code: "export default { fetch: () => new Response() };" }),
  },
  {
    ...{
      row: "updateEdgeFunction",
      mutation: "cloud.edge.update",
      actions: ["edge_function.updated"],
      events: ["edge_function.updated"],
    },
    prepare: async (s) => to(await s.edgeFunction(), { name: s.unique("edge") }),
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
  {
    ...{
      row: "restoreProject",
      mutation: "projects.restore",
      actions: ["project.restored"],
      events: ["project.restored"],
    },
    prepare: async (s) => {
      const input = { id: (await s.project()).id };
      await deleteProject.run(s.owner, input);
      return { input };
    },
  },
  {
    ...{ row: "logIn", mutation: "auth.logIn", actions: ["user.signed_in"] },
    prepare: (s) => ({ input: { email: s.owner.session.user.email, password: PASSWORD } }),
  },
  {
    ...{ row: "logOut", actions: ["session.ended"] },
    prepare: async (s) => {
      const { cookie } = await createSessionToken.run(s.visitor(), {
        email: s.owner.session.user.email,
        password: PASSWORD,
      });
      return { cookies: cookie.split(";")[0] ?? "" };
    },
  },
  { mutation: "auth.logOut", actions: ["session.ended"], prepare: async (s) => ({ as: await s.newPerson() }) },
  {
    ...{ mutation: "auth.signUp", actions: ["tenant.created", "user.signed_in"] },
    prepare: (s) => ({ input: { email: s.newEmail(), password: PASSWORD } }),
  },
  {
    ...{ mutation: "auth.verifyEmail", actions: ["user.email_verified"] },
    prepare: async (s) => ({ input: { token: await s.tokenFor((await s.newPerson()).session.user.email) } }),
  },
  {
    ...{ mutation: "auth.resetPassword", actions: ["user.password_reset"] },
    prepare: async (s) => {
      const { email } = (await s.newPerson()).session.user;
      const send = () => sendPasswordReset(s.visitor(), { email, request: TEST_REQUEST });
      return { input: { token: await s.tokenFor(email, send), password: PASSWORD } };
    },
  },
  {
    // The verified address is recorded in both tenants of the guest.
    mutation: "auth.acceptInvitation",
    actions: ["member.joined", "user.email_verified", "user.email_verified"],
    events: ["invitation.accepted", "member.joined"],
    prepare: async (s) => {
      const { as, token } = await s.guest();
      return { as, input: { token } };
    },
  },
  {
    ...{ mutation: "settings.changePassword", actions: ["user.password_changed"] },
    prepare: async (s) => ({
      as: await s.newPerson(),
      input: { current_password: PASSWORD, new_password: "another long password" },
    }),
  },
  {
    ...{ mutation: "settings.revokeSession", actions: ["session.ended"] },
    prepare: async (s) => {
      const { as, otherId } = await s.twiceLoggedIn();
      return { as, input: { session_id: otherId } };
    },
  },
  {
    ...{ mutation: "settings.revokeOtherSessions", actions: ["user.sessions_ended"] },
    prepare: async (s) => ({ as: (await s.twiceLoggedIn()).as }),
  },
  {
    ...{ mutation: "settings.switchTenant", actions: ["user.signed_in"] },
    prepare: async (s) => {
      const { as, token } = await s.guest();
      await acceptInvitation.run(as, { token });
      return { as, input: { tenant_id: as.actor.tenantId } };
    },
  },
  {
    ...{ mutation: "settings.renameTenant", actions: ["tenant.updated"] },
    prepare: (s) => ({ input: { name: s.unique("Acme") } }),
  },
  {
    ...{ mutation: "settings.changeRole", actions: ["member.role_changed"], events: ["member.role_changed"] },
    prepare: async (s) => ({ input: { user_id: (await s.member()).session.user.id, role: "admin" } }),
  },
  {
    ...{ mutation: "settings.removeMember", actions: ["member.removed"], events: ["member.removed"] },
    prepare: async (s) => ({ input: { user_id: (await s.member()).session.user.id } }),
  },
  {
    ...{ mutation: "settings.inviteMember", actions: ["invitation.created"], events: ["invitation.created"] },
    prepare: (s) => ({ input: { email: s.newEmail() } }),
  },
  {
    ...{ mutation: "settings.revokeInvitation", actions: ["invitation.revoked"], events: ["invitation.revoked"] },
    prepare: async (s) => ({ input: { invitation_id: (await s.invite(s.newEmail())).invitation.id } }),
  },
];
