import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteAdvertiser } from "../../server/ads/advertisers/delete-advertiser";
import { deleteCampaign } from "../../server/ads/campaigns/delete-campaign";
import { deleteChannel } from "../../server/ads/channels/delete-channel";
import { deleteCreative } from "../../server/ads/creatives/delete-creative";
import { FETCH_LIMITS } from "../../server/ads/feed-schedules/fetch-limits";
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
import { appRouter, createAppCaller } from "../../server/surfaces/trpc/router";
import { type AccountScene, accountScene, CREATIVE, type LoggedIn, ONE_PRODUCT } from "../factories/account-scene";
import { streamOf } from "../factories/ads";
import { TEST_REQUEST, type TestApp, testApp, uncountedPipeline } from "../factories/app";
import { manage, platformKey } from "../factories/calls";
import { makeCheckpoint, makeShieldScan } from "../factories/cloud-rows";
import { PASSWORD } from "../factories/identity";
import { idleMachine } from "../factories/pod-scene";
import { orderRows, platformRows } from "../factories/rows";

/** They need a machine that runs pods, or a Kubernetes: pods.test.ts, sandboxes.test.ts, workspaces.test.ts and clusters.test.ts have their entries. */
const CHECKED_ELSEWHERE = [
  ...["execPod", "cloud.pods.exec", "createSandbox", "cloud.sandboxes.create", "execSandbox", "cloud.sandboxes.exec"],
  ...["writeSandboxFile", "cloud.sandboxes.writeFile", "execWorkspace"],
  ...["createWorkspace", "cloud.workspaces.create", "startWorkspace", "cloud.workspaces.start"],
  ...["writeWorkspaceFile", "cloud.workspaces.writeFile", "moveWorkspaceFile", "cloud.workspaces.moveFile"],
  ...["deleteWorkspaceFile", "cloud.workspaces.deleteFile"],
  ...["createWorkspaceFolder", "cloud.workspaces.createFolder"],
  ...["createResource", "cloud.resources.create", "startInstance", "cloud.instances.start"],
  ...["createClusterKubeconfig"],
  // It needs a node: own-nodes.test.ts.
  "reportNodeEvent",
];

/** What changes nothing that a tenant keeps, or is recorded elsewhere, and why; everything else leaves an entry. */
const UNRECORDED: Readonly<Record<string, string>> = {
  explainOffers: "decides without serving anything",
  "explain.offers": "decides without serving anything",
  estimatePod: "decides without reserving anything",
  reportConversion: "an order is an event: the ledger of conversions keeps it",
  "conversions.report": "an order is an event: the ledger of conversions keeps it",
  refreshSession: "carries a log-in on; only a token used twice is recorded",
  createChatCompletion: "a request changes nothing; the log of chat requests has it",
  createEmbedding: "as createChatCompletion",
  createInferenceCompletion: "as createChatCompletion",
  "cloud.gateway.complete": "as createChatCompletion",
  "cloud.gateway.stream": "as createChatCompletion",
  sendMessages: "a message is no setting; queues have millions of them",
  "cloud.queues.send": "a message is no setting; queues have millions of them",
  sendEdgeMessages: "as sendMessages",
  receiveEdgeMessages: "a receive is no setting; queues have millions of them",
  acknowledgeMessages: "as receiveEdgeMessages",
  extendMessages: "as receiveEdgeMessages",
  returnMessages: "as receiveEdgeMessages",
  acknowledgeEdgeMessages: "as receiveEdgeMessages",
  extendEdgeMessages: "as receiveEdgeMessages",
  returnEdgeMessages: "as receiveEdgeMessages",
  putEdgeKvValue: "a key is no setting; namespaces have thousands of them",
  deleteEdgeKvKey: "as putEdgeKvValue",
  invokeFunction: "a call is no setting; functions have millions of them",
  "cloud.functions.invoke": "as invokeFunction",
  createFunctionInvocation: "as invokeFunction",
  deleteObject: "objects are no settings; buckets have millions of them",
  "cloud.storage.deleteObject": "as deleteObject",
  restoreObject: "as deleteObject",
  "cloud.storage.restoreObject": "as deleteObject",
  deleteObjects: "as deleteObject",
  "cloud.storage.deleteObjects": "as deleteObject",
  presignObject: "signs a URL; the default bucket that it may create is recorded",
  "cloud.storage.presign": "as presignObject",
  "auth.resendVerification": "sends a letter again",
  "auth.requestPasswordReset": "answers before it knows the account; the job that writes the letter records it",
};

/** Nothing is ever fetched from it. */
const FEED_URL = "https://shop.example/feed.csv";

interface Prepared {
  input?: Record<string, unknown>;
  /** Default: the owner of the scene. */
  as?: LoggedIn;
  /** What the person's browser sends along. */
  cookies?: string;
}

interface Change {
  row?: string;
  mutation?: string;
  actions: string[];
  prepare: (scene: AccountScene) => Promise<Prepared> | Prepared;
}

const CHANGES: Change[] = [
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
    ...{ row: "createCampaign", mutation: "campaigns.create", actions: ["campaign.created"] },
    prepare: async (s) => ({
      input: { advertiser_id: (await s.advertiser()).id, name: "Winter", model: "cpc", bid_micros: 1000 },
    }),
  },
  {
    ...{ mutation: "campaigns.copy", actions: ["campaign.created"] },
    prepare: async (s) => ({
      input: { id: (await s.campaign()).id, advertiser_id: (await s.advertiser({ mode: "live" })).id },
    }),
  },
  {
    ...{ row: "updateCampaign", mutation: "campaigns.update", actions: ["campaign.updated"] },
    prepare: async (s) => ({ input: { id: (await s.campaign()).id, targeting: { geos: ["DE"] } } }),
  },
  {
    ...{ row: "deleteCampaign", mutation: "campaigns.delete", actions: ["campaign.archived"] },
    prepare: async (s) => ({ input: { id: (await s.campaign()).id } }),
  },
  {
    ...{ row: "restoreCampaign", mutation: "campaigns.restore", actions: ["campaign.restored"] },
    prepare: async (s) => {
      const input = { id: (await s.campaign()).id };
      await deleteCampaign.run(s.owner, input);
      return { input };
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
    ...{ row: "createKey", mutation: "keys.create", actions: ["api_key.created"] },
    prepare: async (s) => ({ input: await s.keyFields() }),
  },
  {
    ...{ row: "rotateKey", mutation: "keys.rotate", actions: ["api_key.rotated"] },
    prepare: async (s) => ({ input: { id: (await s.key()).id } }),
  },
  {
    ...{ row: "revokeKey", mutation: "keys.revoke", actions: ["api_key.revoked"] },
    prepare: async (s) => ({ input: { id: (await s.key()).id } }),
  },
  {
    ...{ row: "createProject", mutation: "projects.create", actions: ["project.created"] },
    prepare: (s) => ({ input: { name: s.unique("project") } }),
  },
  {
    ...{ row: "updateProject", mutation: "projects.update", actions: ["project.updated"] },
    prepare: async (s) => ({ input: { id: (await s.project()).id, name: s.unique("renamed") } }),
  },
  {
    ...{ row: "deleteProject", mutation: "projects.delete", actions: ["project.archived"] },
    prepare: async (s) => ({ input: { id: (await s.project()).id } }),
  },
  {
    ...{ row: "createWebhook", mutation: "cloud.webhooks.create", actions: ["webhook.created"] },
    prepare: () => ({ input: { name: "Orders", url: "https://receiver.example/", events: ["*"] } }),
  },
  {
    ...{ row: "updateWebhook", mutation: "cloud.webhooks.update", actions: ["webhook.updated"] },
    prepare: async (s) => ({ input: { id: (await s.webhook()).id, status: "disabled" } }),
  },
  {
    ...{ row: "deleteWebhook", mutation: "cloud.webhooks.delete", actions: ["webhook.deleted"] },
    prepare: async (s) => ({ input: { id: (await s.webhook()).id } }),
  },
  {
    ...{ row: "rotateWebhookSecret", mutation: "cloud.webhooks.rotateSecret", actions: ["webhook.secret_rotated"] },
    prepare: async (s) => ({ input: { id: (await s.webhook()).id } }),
  },
  {
    ...{ row: "testWebhook", mutation: "cloud.webhooks.test", actions: ["webhook.tested"] },
    prepare: async (s) => ({ input: { id: (await s.webhook()).id } }),
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
    ...{ row: "createPod", mutation: "cloud.pods.create", actions: ["pod.created"] },
    prepare: () => ({ input: { image: "alpine" } }),
  },
  {
    ...{ row: "stopPod", mutation: "cloud.pods.stop", actions: ["pod.stop_requested"] },
    prepare: async (s) => ({ input: { id: (await s.pod()).id } }),
  },
  {
    ...{ row: "startPod", mutation: "cloud.pods.start", actions: ["pod.started"] },
    prepare: async (s) => {
      const { id } = await s.pod();
      await settleEnd(t.app.cloud, `${id}-1`, { endedAt: t.clock.now(), outcome: "fail" });
      return { input: { id } };
    },
  },
  {
    ...{ row: "deletePod", mutation: "cloud.pods.delete", actions: ["pod.deleted"] },
    prepare: async (s) => ({ input: { id: (await s.pod()).id } }),
  },
  {
    ...{ row: "checkpointPod", mutation: "cloud.pods.checkpoint", actions: ["pod.checkpoint_requested"] },
    prepare: async (s) => {
      const { id } = await s.pod();
      const runtime = { kind: "namespaces", isolation: "", limits_enforced: true, gpu: "none" as const };
      await settleStart(t.app.cloud, `${id}-1`, { startedAt: t.clock.now(), runtime });
      return { input: { id } };
    },
  },
  {
    ...{ row: "deletePodCheckpoint", mutation: "cloud.pods.deleteCheckpoint", actions: ["pod.checkpoint_deleted"] },
    prepare: async (s) => {
      const { id } = await s.pod();
      return { input: { id, checkpoint_id: await makeCheckpoint(t.app.cloud, id) } };
    },
  },
  {
    ...{ row: "deleteSandbox", mutation: "cloud.sandboxes.delete", actions: ["sandbox.deleted"] },
    prepare: async (s) => ({ input: { id: (await s.sandbox()).id } }),
  },
  {
    ...{ row: "stopWorkspace", mutation: "cloud.workspaces.stop", actions: ["workspace.stop_requested"] },
    prepare: async (s) => ({ input: { id: (await s.workspace()).id } }),
  },
  {
    ...{ row: "deleteWorkspace", mutation: "cloud.workspaces.delete", actions: ["workspace.deleted"] },
    prepare: async (s) => ({ input: { id: (await s.workspace()).id } }),
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
    ...{ row: "createReservation", mutation: "cloud.reservations.create", actions: ["reservation.created"] },
    prepare: () => ({ input: { gpu: "l40s", count: 1, duration: "30d" } }),
  },
  {
    ...{ row: "cancelReservation", mutation: "cloud.reservations.cancel", actions: ["reservation.canceled"] },
    prepare: async (s) => ({ input: { id: (await s.reservation()).id } }),
  },
  {
    ...{ row: "createShieldScan", mutation: "cloud.shield.scan", actions: ["shield_scan.created"] },
    prepare: async (s) => ({ input: { bucket: (await s.bucket()).id } }),
  },
  {
    ...{ row: "cancelShieldScan", mutation: "cloud.shield.cancel", actions: ["shield_scan.canceled"] },
    prepare: async (s) => {
      const { project_id: projectId } = await s.bucket();
      const owner = { tenantId: s.owner.actor.tenantId, projectId, mode: "test" as const };
      return { input: { scan_id: (await makeShieldScan(t.app.cloud, owner)).id } };
    },
  },
  {
    ...{ row: "createQueue", mutation: "cloud.queues.create", actions: ["queue.created"] },
    prepare: (s) => ({ input: { name: s.unique("queue") } }),
  },
  {
    ...{ row: "updateQueue", mutation: "cloud.queues.update", actions: ["queue.updated"] },
    prepare: async (s) => ({ input: { q: (await s.queue()).id, max_receives: 9 } }),
  },
  {
    ...{ row: "deleteQueue", mutation: "cloud.queues.delete", actions: ["queue.deleted"] },
    prepare: async (s) => ({ input: { q: (await s.queue()).id } }),
  },
  {
    ...{ row: "purgeQueue", mutation: "cloud.queues.purge", actions: ["queue.purged"] },
    prepare: async (s) => ({ input: { q: (await s.queue()).id } }),
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
    ...{ row: "createBucket", mutation: "cloud.storage.createBucket", actions: ["bucket.created"] },
    prepare: (s) => ({ input: { name: s.unique("bucket") } }),
  },
  {
    ...{ row: "updateBucket", mutation: "cloud.storage.updateBucket", actions: ["bucket.updated"] },
    prepare: async (s) => ({ input: { bucket: (await s.bucket()).id, public_read: true } }),
  },
  {
    ...{ row: "deleteBucket", mutation: "cloud.storage.deleteBucket", actions: ["bucket.deleted"] },
    prepare: async (s) => ({ input: { bucket: (await s.bucket()).id } }),
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
    ...{ row: "createChatBudget", mutation: "cloud.gateway.budgets.create", actions: ["chat_budget.created"] },
    prepare: (s) => ({ input: { name: s.unique("budget"), tokens: 100, window: "day" } }),
  },
  {
    ...{ row: "updateChatBudget", mutation: "cloud.gateway.budgets.update", actions: ["chat_budget.updated"] },
    prepare: async (s) => ({ input: { budget: (await s.budget()).id, tokens: 200 } }),
  },
  {
    ...{ row: "deleteChatBudget", mutation: "cloud.gateway.budgets.delete", actions: ["chat_budget.deleted"] },
    prepare: async (s) => ({ input: { budget: (await s.budget()).id } }),
  },
  {
    ...{ row: "updateChatSettings", mutation: "cloud.gateway.settings.update", actions: ["chat_settings.updated"] },
    prepare: async (s) => ({ input: { cache_seconds: 60, project: (await s.project()).id } }),
  },
  {
    ...{ row: "createChatUpstream", mutation: "cloud.gateway.upstreams.create", actions: ["chat_upstream.created"] },
    prepare: (s) => ({
      input: { name: s.unique("upstream"), base_url: "https://api.example/v1", models: [{ name: "m" }] },
    }),
  },
  {
    ...{ row: "updateChatUpstream", mutation: "cloud.gateway.upstreams.update", actions: ["chat_upstream.updated"] },
    prepare: async (s) => ({ input: { id: (await s.chatUpstream()).id, weight: 9 } }),
  },
  {
    ...{ row: "deleteChatUpstream", mutation: "cloud.gateway.upstreams.delete", actions: ["chat_upstream.deleted"] },
    prepare: async (s) => ({ input: { id: (await s.chatUpstream()).id } }),
  },
  {
    ...{ row: "createFunction", mutation: "cloud.functions.create", actions: ["function.created"] },
    prepare: (s) => ({ input: { name: s.unique("function") } }),
  },
  {
    ...{ row: "deployFunction", mutation: "cloud.functions.deploy", actions: ["function.deployed"] },
    prepare: async (s) => ({ input: { id: (await s.cloudFunction()).id, code: "export default () => 1;" } }),
  },
  {
    ...{ row: "restoreFunctionVersion", mutation: "cloud.functions.restore", actions: ["function.deployed"] },
    prepare: async (s) => {
      const { id } = await s.cloudFunction();
      await deployFunction.run(s.owner, { id, code: "export default () => 1;", handler: "default" });
      return { input: { id, version: 1 } };
    },
  },
  {
    ...{ row: "updateFunction", mutation: "cloud.functions.update", actions: ["function.updated"] },
    prepare: async (s) => ({ input: { id: (await s.cloudFunction()).id, timeout_ms: 500 } }),
  },
  {
    ...{ row: "deleteFunction", mutation: "cloud.functions.delete", actions: ["function.deleted"] },
    prepare: async (s) => ({ input: { id: (await s.cloudFunction()).id } }),
  },
  {
    ...{ row: "createEdgeFunction", mutation: "cloud.edge.create", actions: ["edge_function.created"] },
    prepare: (s) => ({ input: { name: s.unique("edge"), code: "export default { fetch: () => new Response() };" } }),
  },
  {
    ...{ row: "updateEdgeFunction", mutation: "cloud.edge.update", actions: ["edge_function.updated"] },
    prepare: async (s) => ({ input: { id: (await s.edgeFunction()).id, name: s.unique("edge") } }),
  },
  {
    ...{ row: "publishEdgeFunction", mutation: "cloud.edge.publish", actions: ["edge_function.published"] },
    prepare: async (s) => ({ input: { id: (await s.edgeFunction()).id } }),
  },
  {
    ...{ row: "restoreEdgeVersion", mutation: "cloud.edge.restore", actions: ["edge_function.published"] },
    prepare: async (s) => ({ input: { id: (await s.edgeFunction()).id, version: 1 } }),
  },
  {
    ...{ row: "deleteEdgeFunction", mutation: "cloud.edge.delete", actions: ["edge_function.deleted"] },
    prepare: async (s) => ({ input: { id: (await s.edgeFunction()).id } }),
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
    ...{ row: "updateResource", mutation: "cloud.resources.update", actions: ["resource.updated"] },
    prepare: async (s) => {
      const spec = { sku: "Genoa", image_id: "debian-12", memory_mb: 64, running: false };
      return { input: { rid: await s.instance("ready"), spec } };
    },
  },
  {
    ...{ row: "stopInstance", mutation: "cloud.instances.stop", actions: ["resource.updated"] },
    prepare: async (s) => ({ input: { rid: await s.instance("ready") } }),
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
    prepare: async (s) => ({ input: { rid: await s.instance("ready") } }),
  },
  {
    ...{ row: "deleteInstance", actions: ["resource.deletion_started", "resource.deleted"] },
    prepare: async (s) => ({ input: { rid: await s.instance("ready") } }),
  },
  {
    ...{ row: "createSecret", mutation: "cloud.secrets.create", actions: ["secret.created"] },
    prepare: (s) => ({ input: { name: s.unique("secret"), value: "v" } }),
  },
  {
    ...{ row: "putSecret", mutation: "cloud.secrets.put", actions: ["secret.updated"] },
    prepare: async (s) => ({ input: { name: (await s.secret()).id, value: "v" } }),
  },
  {
    ...{ mutation: "cloud.secrets.reveal", actions: ["secret.revealed"] },
    prepare: async (s) => ({ input: { name: (await s.secret()).id } }),
  },
  {
    ...{ row: "deleteSecret", mutation: "cloud.secrets.delete", actions: ["secret.deleted"] },
    prepare: async (s) => ({ input: { name: (await s.secret()).id } }),
  },
  {
    ...{ row: "restoreProject", mutation: "projects.restore", actions: ["project.restored"] },
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
    ...{ mutation: "settings.changeRole", actions: ["member.role_changed"] },
    prepare: async (s) => ({ input: { user_id: (await s.member()).session.user.id, role: "admin" } }),
  },
  {
    ...{ mutation: "settings.removeMember", actions: ["member.removed"] },
    prepare: async (s) => ({ input: { user_id: (await s.member()).session.user.id } }),
  },
  {
    ...{ mutation: "settings.inviteMember", actions: ["invitation.created"] },
    prepare: (s) => ({ input: { email: s.newEmail() } }),
  },
  {
    ...{ mutation: "settings.revokeInvitation", actions: ["invitation.revoked"] },
    prepare: async (s) => ({ input: { invitation_id: (await s.invite(s.newEmail())).invitation.id } }),
  },
];

const changingRows = [...platformRows, ...orderRows].filter(({ method }) => method !== "GET");
const mutations = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>)
  .filter(([, procedure]) => procedure._def.type === "mutation")
  .map(([path]) => path);

let t: TestApp;
let scene: AccountScene;
beforeAll(async () => {
  const tokens = async () => {
    const advertisers = await t.app.ads.db.advertiser.findMany({ select: { domainToken: true } });
    return advertisers.map(({ domainToken }) => domainToken);
  };
  t = await testApp({
    // What is recorded in the background would be among what a change leaves.
    rounds: "manual",
    domainSources: { records: tokens, file: async () => "" },
    // A new schedule is fetched at once, and a fetch under way refuses the request for another one.
    feedFetchLimits: { ...FETCH_LIMITS, fetchesMax: 0 },
  });
  await idleMachine(t);
  scene = await accountScene(t);
});
afterAll(() => t.stop());

/** The actions of the entries, of whatever tenant, that something left. */
async function actionsOf(act: () => Promise<unknown>): Promise<string[]> {
  const before = new Set((await t.engines.db.auditEntry.findMany({ select: { id: true } })).map(({ id }) => id));
  await act();
  const after = await t.engines.db.auditEntry.findMany({ orderBy: [{ at: "asc" }, { sequence: "asc" }] });
  return after.filter(({ id }) => !before.has(id)).map(({ action }) => action);
}

/** Runs a row's verb as its surface would. */
async function runRow(id: string, { input = {}, as = scene.owner, cookies }: Prepared): Promise<unknown> {
  const row = platformRows.find((one) => one.id === id);
  if (!row) throw new Error(`there is no row ${id}`);
  const told = row.upload ? { ...input, content_type: "application/x-ndjson" } : input;
  const browser = cookies === undefined ? {} : { browser: { cookies, origin: undefined } };
  const tenants = { find: () => Promise.reject(new Error("a change asks the database, not the cache")) };
  const ctx = { ...as, tenants, request: { ...TEST_REQUEST, ...browser } };
  return row.run(ctx as never, row.input.parse(told) as never, row.upload ? { body: streamOf(ONE_PRODUCT) } : {});
}

/** Calls a mutation as the dashboard would. */
async function callMutation(path: string, { input = {}, as = scene.owner }: Prepared): Promise<unknown> {
  const isUpload = path.endsWith("importProducts");
  const upload = isUpload ? { "x-svc-campaign": String(input.id) } : {};
  const caller: unknown = createAppCaller({
    ...{ session: as.session, pipeline: uncountedPipeline(t) },
    request: { ...TEST_REQUEST, isForwarded: false },
    requestHeaders: new Headers({ "sec-fetch-site": "same-origin", ...upload }),
    responseHeaders: new Headers(),
    onCounted: () => undefined,
    publicOrigin: t.config.publicUrl,
  });
  const call = path.split(".").reduce((at, name) => (at as Record<string, unknown>)[name], caller);
  return (call as (input: unknown) => Promise<unknown>)(isUpload ? streamOf(ONE_PRODUCT) : input);
}

it("every endpoint that is no GET, and every mutation, is listed here", () => {
  const listed = [
    ...CHANGES.flatMap(({ row, mutation }) => [row, mutation]),
    ...Object.keys(UNRECORDED),
    ...CHECKED_ELSEWHERE,
  ];
  const known = [...changingRows.map(({ id }) => id), ...mutations];
  expect(listed.filter((name) => name !== undefined).sort()).toEqual(known.sort());
});

describe("an entry is left by", () => {
  it.each(CHANGES.filter(({ row }) => row !== undefined))("$row: $actions", async ({ row = "", actions, prepare }) => {
    const prepared = await prepare(scene);
    expect(await actionsOf(() => runRow(row, prepared))).toEqual(actions);
  });

  it.each(CHANGES.filter(({ mutation }) => mutation !== undefined))(
    "$mutation: $actions",
    async ({ mutation = "", actions, prepare }) => {
      const prepared = await prepare(scene);
      expect(await actionsOf(() => callMutation(mutation, prepared))).toEqual(actions);
    },
  );
});

describe("the log", () => {
  it("is read and verified by a key with the scope audit:read, and by no other", async () => {
    const read = async (path: string, key: string) => {
      const answer = await manage(t, path, { key });
      return { status: answer.status, body: await answer.json() };
    };
    const { tenantId } = scene.owner.actor;
    const entries = await t.engines.db.auditEntry.count({ where: { tenantId } });
    const [key, other] = [await platformKey(scene.owner, { scopes: ["audit:read"] }), await platformKey(scene.owner)];
    const newest = { action: "api_key.created", actor: { name: scene.owner.session.user.email } };
    expect(await read("/v1/audit?limit=1", key)).toMatchObject({ status: 200, body: { data: [newest] } });
    const verdict = { valid: true, entries: entries + 2, first_bad_sequence: null };
    expect(await read("/v1/audit/verify", key)).toMatchObject({ status: 200, body: verdict });
    for (const path of ["/v1/audit", "/v1/audit/verify"]) expect((await read(path, other)).status).toBe(403);
  });
});
