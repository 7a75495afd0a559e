import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { reviewAdvertiser } from "../../server/ads/advertisers/review-advertiser";
import { creditTenant } from "../../server/ads/balances/credit-tenant";
import { recordBudgetCrossings } from "../../server/ads/budgets/record-budget-crossings";
import { createCampaign } from "../../server/ads/campaigns/create-campaign";
import { deleteCampaign } from "../../server/ads/campaigns/delete-campaign";
import { restoreCampaign } from "../../server/ads/campaigns/restore-campaign";
import { updateCampaign } from "../../server/ads/campaigns/update-campaign";
import { checkBudgets } from "../../server/cloud/billing/check-budgets";
import { putBillingBudget } from "../../server/cloud/billing/put-billing-budget";
import { createChatBudget } from "../../server/cloud/chat-ledger/create-chat-budget";
import { deleteChatBudget } from "../../server/cloud/chat-ledger/delete-chat-budget";
import { recordBudgetCrossings as recordChatBudgetCrossings } from "../../server/cloud/chat-ledger/record-budget-crossings";
import { updateChatBudget } from "../../server/cloud/chat-ledger/update-chat-budget";
import { updateChatSettings } from "../../server/cloud/chat-ledger/update-chat-settings";
import { createChatUpstream } from "../../server/cloud/chat-upstreams/create-chat-upstream";
import { deleteChatUpstream } from "../../server/cloud/chat-upstreams/delete-chat-upstream";
import { updateChatUpstream } from "../../server/cloud/chat-upstreams/update-chat-upstream";
import { createEdgeFunction } from "../../server/cloud/edge/create-edge-function";
import { deleteEdgeFunction } from "../../server/cloud/edge/delete-edge-function";
import { publishEdgeFunction } from "../../server/cloud/edge/publish-edge-function";
import { updateEdgeFunction } from "../../server/cloud/edge/update-edge-function";
import { createFunction } from "../../server/cloud/functions/create-function";
import { deleteFunction } from "../../server/cloud/functions/delete-function";
import { deployFunction } from "../../server/cloud/functions/deploy-function";
import { updateFunction } from "../../server/cloud/functions/update-function";
import { stopInstance } from "../../server/cloud/instances/stop-instance";
import { releaseCordons } from "../../server/cloud/node-events/release-cordons";
import { reportNodeEvent } from "../../server/cloud/node-events/report-node-event";
import { createPod } from "../../server/cloud/pods/create-pod";
import { deletePod } from "../../server/cloud/pods/delete-pod";
import { LAST_RUN } from "../../server/cloud/pods/pod";
import { requestReclaim } from "../../server/cloud/pods/request-reclaim";
import { settleEnd, settleStart } from "../../server/cloud/pods/settle-run";
import { stopPod } from "../../server/cloud/pods/stop-pod";
import { createQueue } from "../../server/cloud/queues/create-queue";
import { deleteQueue } from "../../server/cloud/queues/delete-queue";
import { purgeQueue } from "../../server/cloud/queues/purge-queue";
import { updateQueue } from "../../server/cloud/queues/update-queue";
import { advanceReservations } from "../../server/cloud/reservations/advance-reservations";
import { cancelReservation } from "../../server/cloud/reservations/cancel-reservation";
import { createReservation } from "../../server/cloud/reservations/create-reservation";
import { activateService } from "../../server/cloud/resources/activate-service";
import { createResource } from "../../server/cloud/resources/create-resource";
import { deleteResource } from "../../server/cloud/resources/delete-resource";
import { reconcileResource } from "../../server/cloud/resources/resource-reconciler";
import type { ResourceState } from "../../server/cloud/resources/resource-states";
import { createSandbox } from "../../server/cloud/sandboxes/create-sandbox";
import { deleteSandbox } from "../../server/cloud/sandboxes/delete-sandbox";
import { createSecret } from "../../server/cloud/secrets/create-secret";
import { deleteSecret } from "../../server/cloud/secrets/delete-secret";
import { putSecret } from "../../server/cloud/secrets/put-secret";
import { cancelShieldScan } from "../../server/cloud/shield/cancel-shield-scan";
import { createShieldScan } from "../../server/cloud/shield/create-shield-scan";
import { completeScan, failScan } from "../../server/cloud/shield/end-scan";
import { createBucket } from "../../server/cloud/storage/create-bucket";
import { deleteBucket } from "../../server/cloud/storage/delete-bucket";
import { updateBucket } from "../../server/cloud/storage/update-bucket";
import { createWebhook } from "../../server/cloud/webhooks/create-webhook";
import { deleteWebhook } from "../../server/cloud/webhooks/delete-webhook";
import { rotateWebhookSecret } from "../../server/cloud/webhooks/rotate-webhook-secret";
import { updateWebhook } from "../../server/cloud/webhooks/update-webhook";
import { announceChange } from "../../server/cloud/workspaces/announce-change";
import { createWorkspace } from "../../server/cloud/workspaces/create-workspace";
import { deleteWorkspace } from "../../server/cloud/workspaces/delete-workspace";
import { readWorkspace } from "../../server/cloud/workspaces/find-workspace";
import { ALL_EVENT_KINDS } from "../../server/event-kinds";
import { createApiKey } from "../../server/identity/api-keys/create-api-key";
import { revokeApiKey } from "../../server/identity/api-keys/revoke-api-key";
import { rotateApiKey } from "../../server/identity/api-keys/rotate-api-key";
import { acceptInvitation } from "../../server/identity/invitations/accept-invitation";
import { inviteMember } from "../../server/identity/invitations/invite-member";
import { revokeInvitation } from "../../server/identity/invitations/revoke-invitation";
import { createProject } from "../../server/identity/projects/create-project";
import { deleteProject } from "../../server/identity/projects/delete-project";
import { restoreProject } from "../../server/identity/projects/restore-project";
import { updateProject } from "../../server/identity/projects/update-project";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { changeRole } from "../../server/identity/tenants/change-role";
import { removeMember } from "../../server/identity/tenants/remove-member";
import { type AccountScene, accountScene } from "../factories/account-scene";
import { type TestApp, testApp } from "../factories/app";
import { makeMeteredRun } from "../factories/billing";
import { manage, platformKey } from "../factories/calls";
import { makeOwnNode, makeShieldScan } from "../factories/cloud-rows";
import { idleMachine } from "../factories/pod-scene";

interface Cause {
  /** The kinds that the operation records, in order. */
  types: string[];
  /** Prepares, and returns the operation and how its events are marked. */
  prepare: (s: AccountScene) => Promise<{ act: () => Promise<unknown>; mode?: "test"; projectId?: string }>;
}

/** What each secret begins with, or is. */
const secrets = new Set<string>();
const keep = (secret: string | undefined) => {
  if (secret) secrets.add(secret);
};

/** A key of a project of its own, and what its events are marked with. */
async function madeKey(s: AccountScene) {
  const made = await s.key();
  keep(made.key);
  return { id: made.id, marks: { mode: "test" as const, projectId: made.project_id } };
}

async function review(s: AccountScene, decision: "approved" | "rejected") {
  const { db, clock, mail } = t.app.account;
  const { id } = await s.verifiedAdvertiser();
  return { act: () => reviewAdvertiser({ db, clock, mail }, { id, decision, note: "checked" }), mode: "test" as const };
}

/** A campaign whose budget of 1,000 bids is used up to a part. */
async function spentCampaign(s: AccountScene, { part, budget }: { part: number; budget: "daily" | "total" }) {
  const fields = { name: "Winter", model: "cpc", bid_micros: 1000, [`${budget}_budget_micros`]: 1_000_000 };
  const advertiser_id = (await s.advertiser()).id;
  const { id } = await createCampaign.run(s.owner, createCampaign.input.parse({ ...fields, advertiser_id }));
  const { db, sql } = t.engines;
  const act = async () => {
    const day = t.clock.now().toISOString().slice(0, 10);
    const text = "INSERT INTO campaign_spend (campaign_id, day, nanos) VALUES ($1, $2, $3)";
    await sql.query(text, [id, day, part * 1e9]);
    await recordBudgetCrossings({ db, sql, clock: t.clock, currency: "USD" });
  };
  return { act, mode: "test" as const };
}

/** Ends the run of a pod as what runs pods would. */
async function endingPod(s: AccountScene, id: string, status: "stopped" | "completed" | "failed") {
  const startedAt = t.clock.now();
  const runtime = { kind: "namespaces", isolation: "", limits_enforced: true, gpu: "none" as const };
  await settleStart(t.app.cloud, `${id}-1`, { startedAt, runtime });
  if (status === "stopped") await stopPod.run(s.owner, { id });
  const exit = { code: status === "completed" ? 0 : 1, signal: null, oomKilled: false };
  const outcome = status === "completed" ? ("complete" as const) : ("fail" as const);
  return () => settleEnd(t.app.cloud, `${id}-1`, { startedAt, endedAt: t.clock.now(), exit, outcome });
}

const RESERVED = { gpu: "l40s", count: 1, duration: "30d" };

const CAUSES: Cause[] = [
  {
    types: ["api_key.created"],
    prepare: async (s) => {
      const fields = await s.keyFields();
      const act = async () => keep((await createApiKey.run(s.owner, createApiKey.input.parse(fields))).key);
      return { act, mode: "test", projectId: fields.project };
    },
  },
  {
    types: ["api_key.rotated"],
    prepare: async (s) => {
      const { id, marks } = await madeKey(s);
      return { act: async () => keep((await rotateApiKey.run(s.owner, { id, grace_seconds: 60 })).key), ...marks };
    },
  },
  {
    types: ["api_key.revoked"],
    prepare: async (s) => {
      const { id, marks } = await madeKey(s);
      return { act: () => revokeApiKey.run(s.owner, { id }), ...marks };
    },
  },
  {
    types: ["project.created"],
    prepare: async (s) => ({ act: () => createProject.run(s.owner, { name: s.unique("project") }) }),
  },
  {
    types: ["project.updated"],
    prepare: async (s) => {
      const { id } = await s.project();
      return { act: () => updateProject.run(s.owner, { id, name: s.unique("renamed") }) };
    },
  },
  {
    types: ["project.archived"],
    prepare: async (s) => {
      const { id } = await s.project();
      return { act: () => deleteProject.run(s.owner, { id }) };
    },
  },
  {
    types: ["project.restored"],
    prepare: async (s) => {
      const { id } = await s.project();
      await deleteProject.run(s.owner, { id });
      return { act: () => restoreProject.run(s.owner, { id }) };
    },
  },
  {
    types: ["invitation.created"],
    prepare: async (s) => ({ act: () => inviteMember.run(s.owner, { email: s.newEmail(), role: "member" }) }),
  },
  {
    types: ["invitation.revoked"],
    prepare: async (s) => {
      const { invitation } = await s.invite(s.newEmail());
      return { act: () => revokeInvitation.run(s.owner, { invitation_id: invitation.id }) };
    },
  },
  {
    types: ["invitation.accepted", "member.joined"],
    prepare: async (s) => {
      const { as, token } = await s.guest();
      keep(token);
      return { act: () => acceptInvitation.run(as, { token }) };
    },
  },
  {
    // A sign-up with an invitation.
    types: ["invitation.accepted", "member.joined"],
    prepare: async (s) => {
      const email = s.newEmail();
      const token = await s.tokenFor(email, () => s.invite(email));
      keep(token);
      return { act: () => s.newPerson(email, token) };
    },
  },
  {
    types: ["member.role_changed"],
    prepare: async (s) => {
      const { session } = await s.member();
      return { act: () => changeRole.run(s.owner, { user_id: session.user.id, role: "admin" }) };
    },
  },
  {
    types: ["member.removed"],
    prepare: async (s) => {
      const { session } = await s.member();
      return { act: () => removeMember.run(s.owner, { user_id: session.user.id }) };
    },
  },
  {
    types: ["quota.updated"],
    prepare: async (s) => {
      const { tenantId: tenant_id } = s.owner.actor;
      return { act: () => setQuota(t.app.account, { tenant_id, resource: "channels", limit: 5000 }) };
    },
  },
  {
    types: ["campaign.created"],
    prepare: async (s) => {
      const fields = { advertiser_id: (await s.advertiser()).id, name: "Winter", model: "cpc", bid_micros: 1000 };
      return { act: () => createCampaign.run(s.owner, createCampaign.input.parse(fields)), mode: "test" };
    },
  },
  {
    types: ["campaign.updated"],
    prepare: async (s) => {
      const { id } = await s.campaign();
      const fields = { id, status: "paused", targeting: { geos: ["NO"] } };
      return { act: () => updateCampaign.run(s.owner, updateCampaign.input.parse(fields)), mode: "test" };
    },
  },
  {
    types: ["campaign.archived"],
    prepare: async (s) => {
      const { id } = await s.campaign();
      return { act: () => deleteCampaign.run(s.owner, { id }), mode: "test" };
    },
  },
  {
    types: ["campaign.restored"],
    prepare: async (s) => {
      const { id } = await s.campaign();
      await deleteCampaign.run(s.owner, { id });
      return { act: () => restoreCampaign.run(s.owner, { id }), mode: "test" };
    },
  },
  {
    types: ["campaign.budget_threshold_crossed"],
    prepare: (s) => spentCampaign(s, { part: 0.8, budget: "total" }),
  },
  {
    types: ["campaign.budget_threshold_crossed", "campaign.budget_exhausted"],
    prepare: (s) => spentCampaign(s, { part: 1, budget: "daily" }),
  },
  { types: ["advertiser.approved"], prepare: (s) => review(s, "approved") },
  { types: ["advertiser.rejected"], prepare: (s) => review(s, "rejected") },
  {
    types: ["bucket.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const input = createBucket.input.parse({ name: s.unique("bucket"), project });
      return { act: () => createBucket.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  {
    types: ["shield_scan.created"],
    prepare: async (s) => {
      const { id: bucket, project_id: projectId } = await s.bucket();
      const act = async () => {
        await createShieldScan.run(s.owner, createShieldScan.input.parse({ bucket }));
        // Otherwise a worker completes it during a later test.
        await t.engines.db.shieldScan.deleteMany({ where: { bucketId: bucket } });
      };
      return { act, mode: "test", projectId };
    },
  },
  {
    types: ["shield_scan.canceled"],
    prepare: async (s) => {
      const { scan, projectId } = await runningScan(s);
      return { act: () => cancelShieldScan.run(s.owner, { scan_id: scan.id }), mode: "test", projectId };
    },
  },
  {
    types: ["shield_scan.completed"],
    prepare: async (s) => {
      const { scan, bucketId, projectId } = await runningScan(s);
      const { db, sql, clock } = t.app.cloud;
      const bucket = await db.bucket.findUniqueOrThrow({ where: { id: bucketId } });
      const of = { bucket, scanId: scan.id, now: clock.now() };
      return { act: () => completeScan({ db, sql, clock, scan }, of, ""), mode: "test", projectId };
    },
  },
  {
    types: ["shield_scan.failed"],
    prepare: async (s) => {
      const { scan, projectId } = await runningScan(s);
      return { act: () => failScan({ ...t.app.cloud, scan }, "The bucket was deleted."), mode: "test", projectId };
    },
  },
  {
    types: ["bucket.updated"],
    prepare: async (s) => {
      const { id: bucket, project_id: projectId } = await s.bucket();
      return { act: () => updateBucket.run(s.owner, { bucket, versioning: "on" }), mode: "test", projectId };
    },
  },
  {
    types: ["bucket.deleted"],
    prepare: async (s) => {
      const { id: bucket, project_id: projectId } = await s.bucket();
      return { act: () => deleteBucket.run(s.owner, { bucket, force: false }), mode: "test", projectId };
    },
  },
  {
    types: ["pod.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const input = createPod.input.parse({ image: "alpine", project, env: { PASSWORD: "token=hidden" } });
      return { act: () => createPod.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  {
    types: ["sandbox.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const env = { PASSWORD: "token=hidden" };
      const input = createSandbox.input.parse({ image: "alpine", project, env, command: ["token=hidden"] });
      return { act: () => createSandbox.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  {
    types: ["sandbox.ended"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.sandbox();
      return { act: () => deleteSandbox.run(s.owner, { id }), mode: "test", projectId };
    },
  },
  {
    types: ["workspace.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const input = createWorkspace.input.parse({ name: "w", image: "alpine", project, disk_gb: 1 });
      return { act: () => createWorkspace.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  ...(["workspace.started", "workspace.stopped"] as const).map((type) => ({
    types: [type],
    prepare: async (s: AccountScene) => {
      const { id, project_id: projectId } = await s.workspace();
      const status = type === "workspace.started" ? "ready" : "failed";
      await t.app.cloud.db.pod.update({ where: { id }, data: { status } });
      const { db, ...ctx } = t.app.cloud;
      const act = () => db.$transaction(async (tx) => announceChange(tx, ctx, await readWorkspace(tx, id)));
      return { act, mode: "test" as const, projectId };
    },
  })),
  {
    types: ["workspace.deleted"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.workspace();
      return { act: () => deleteWorkspace.run(s.owner, { id }), mode: "test", projectId };
    },
  },
  {
    types: ["pod.ready"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.pod();
      const runtime = { kind: "namespaces", isolation: "", limits_enforced: true, gpu: "none" as const };
      const act = () => settleStart(t.app.cloud, `${id}-1`, { startedAt: t.clock.now(), runtime });
      return { act, mode: "test", projectId };
    },
  },
  ...(["stopped", "completed", "failed"] as const).map(
    (status): Cause => ({
      types: [`pod.${status}`],
      prepare: async (s) => {
        const { id, project_id: projectId } = await s.pod();
        return { act: await endingPod(s, id, status), mode: "test", projectId };
      },
    }),
  ),
  ...(["completed", "failed"] as const).map(
    (status): Cause => ({
      types: [`pod.${status}`, `training.run.${status}`],
      prepare: async (s) => {
        const input = createPod.input.parse({ image: "alpine", labels: { job: "training" } });
        const { id, project_id: projectId } = await createPod.run(s.owner, input);
        return { act: await endingPod(s, id, status), mode: "test", projectId };
      },
    }),
  ),
  ...(["pod.reclaim_announced", "pod.reclaimed"] as const).map(
    (type): Cause => ({
      types: type === "pod.reclaimed" ? ["pod.reclaimed", "pod.stopped"] : [type],
      prepare: async (s) => {
        const { id, project_id: projectId } = await s.pod();
        await t.app.cloud.db.pod.update({ where: { id }, data: { spot: true } });
        const end = await endingPod(s, id, "completed");
        const announce = async () => {
          const pod = await t.app.cloud.db.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
          const reason = { code: "capacity_needed", message: "An on-demand pod needs its GPUs." };
          await t.app.cloud.db.$transaction((tx) => requestReclaim(tx, t.app.cloud, { pod, reason }));
        };
        if (type === "pod.reclaimed") await announce();
        return { act: type === "pod.reclaimed" ? end : announce, mode: "test", projectId };
      },
    }),
  ),
  {
    types: ["pod.deleted"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.pod();
      return { act: () => deletePod.run(s.owner, { id }), mode: "test", projectId };
    },
  },
  {
    types: ["reservation.created", "reservation.started"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const input = createReservation.input.parse({ ...RESERVED, project });
      return { act: () => createReservation.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  {
    types: ["reservation.canceled"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.reservation();
      return { act: () => cancelReservation.run(s.owner, { id }), mode: "test", projectId };
    },
  },
  ...(["end_announced", "ended"] as const).map(
    (what): Cause => ({
      types: [`reservation.${what}`],
      prepare: async (s) => {
        const { id, project_id: projectId } = await s.reservation();
        const { db, sql, clock, currency, publicUrl } = t.app.cloud;
        const endsAt = new Date(clock.now().getTime() + (what === "ended" ? 0 : 3_600_000));
        const data = { endsAt, ...(what === "ended" && { endAnnouncedAt: clock.now() }) };
        const act = async () => {
          await db.reservation.update({ where: { id }, data });
          await advanceReservations({ db, sql, clock, currency, publicUrl });
        };
        return { act, mode: "test", projectId };
      },
    }),
  ),
  {
    types: ["queue.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const input = createQueue.input.parse({ name: s.unique("queue"), project });
      return { act: () => createQueue.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  {
    types: ["gateway.budget.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const input = createChatBudget.input.parse({ name: s.unique("budget"), tokens: 100, window: "day", project });
      return { act: () => createChatBudget.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  {
    types: ["gateway.budget.updated"],
    prepare: async (s) => {
      const { id: budget, project_id: projectId } = await s.budget();
      return { act: () => updateChatBudget.run(s.owner, { budget, tokens: 200 }), mode: "test", projectId };
    },
  },
  {
    types: ["gateway.budget.deleted"],
    prepare: async (s) => {
      const { id: budget, project_id: projectId } = await s.budget();
      return { act: () => deleteChatBudget.run(s.owner, { budget }), mode: "test", projectId };
    },
  },
  {
    types: ["gateway.budget.reached", "gateway.budget.reached"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.budget();
      const { db, sql } = t.engines;
      const act = async () => {
        const today = `${t.clock.now().toISOString().slice(0, 10)}T00:00:00Z`;
        const text = "INSERT INTO chat_budget_spend (budget_id, window_start, spent_tokens) VALUES ($1, $2, 100)";
        await sql.query(text, [id, today]);
        await recordChatBudgetCrossings({ db, sql, clock: t.clock, currency: "USD" });
      };
      return { act, mode: "test", projectId };
    },
  },
  {
    types: ["budget.threshold_crossed", "budget.threshold_crossed"],
    prepare: async (s) => {
      const { db, sql } = t.engines;
      const { mail, publicUrl } = t.app.account;
      const { tenantId } = s.owner.actor;
      const hourAgo = new Date(t.clock.now().getTime() - 3_600_000);
      const amount = { amount_micros: 1_000_000, thresholds: [80, 100] };
      await putBillingBudget.run(s.owner, putBillingBudget.input.parse(amount));
      const act = async () => {
        await makeMeteredRun(t, { tenantId, mode: "test", priceNanosPerHour: 10n ** 15n, from: hourAgo });
        await checkBudgets({ db, sql, clock: t.clock, currency: "USD", mail, publicUrl });
      };
      return { act, mode: "test" };
    },
  },
  {
    types: ["gateway.settings.updated"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const input = updateChatSettings.input.parse({ cache_seconds: 60, project });
      return { act: () => updateChatSettings.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  {
    types: ["chat_upstream.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const fields = { name: s.unique("upstream"), base_url: "https://api.example/v1", models: [{ name: "m" }] };
      const input = createChatUpstream.input.parse({ ...fields, project });
      return { act: () => createChatUpstream.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  {
    types: ["chat_upstream.updated"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.chatUpstream();
      return { act: () => updateChatUpstream.run(s.owner, { id, weight: 9 }), mode: "test", projectId };
    },
  },
  {
    types: ["chat_upstream.deleted"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.chatUpstream();
      return { act: () => deleteChatUpstream.run(s.owner, { id }), mode: "test", projectId };
    },
  },
  {
    types: ["function.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const input = createFunction.input.parse({ name: s.unique("function"), project });
      return { act: () => createFunction.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  {
    types: ["function.deployed"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.cloudFunction();
      const input = deployFunction.input.parse({ id, code: "export default () => 1;" });
      return { act: () => deployFunction.run(s.owner, input), mode: "test", projectId };
    },
  },
  {
    types: ["function.updated"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.cloudFunction();
      return { act: () => updateFunction.run(s.owner, { id, timeout_ms: 500 }), mode: "test", projectId };
    },
  },
  {
    types: ["function.deleted"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.cloudFunction();
      return { act: () => deleteFunction.run(s.owner, { id }), mode: "test", projectId };
    },
  },
  {
    types: ["edge_function.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const code = "export default { fetch: () => new Response() };";
      const input = createEdgeFunction.input.parse({ name: s.unique("edge"), code, project });
      return { act: () => createEdgeFunction.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  {
    types: ["edge_function.updated"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.edgeFunction();
      const input = { id, name: s.unique("edge") };
      return { act: () => updateEdgeFunction.run(s.owner, input), mode: "test", projectId };
    },
  },
  {
    types: ["edge_function.published"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.edgeFunction();
      return { act: () => publishEdgeFunction.run(s.owner, { id }), mode: "test", projectId };
    },
  },
  {
    types: ["edge_function.deleted"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.edgeFunction();
      return { act: () => deleteEdgeFunction.run(s.owner, { id }), mode: "test", projectId };
    },
  },
  {
    types: ["resource.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      await s.instance("suspended");
      const spec = { sku: "Genoa", image_id: "debian-12" };
      const input = createResource.input.parse({ service: "cpu", name: s.unique("vm"), project, spec });
      const act = async () => {
        const { rid } = await createResource.run(s.owner, input);
        // Its effect is not what this is about.
        await t.engines.db.resource.delete({ where: { id: rid } });
      };
      return { act, mode: "test", projectId: project };
    },
  },
  {
    types: ["resource.updated"],
    prepare: (s) => resourceChange(s, { state: "ready", change: (rid) => stopInstance.run(s.owner, { rid }) }),
  },
  {
    types: ["pod.created", "resource.ready"],
    prepare: (s) => resourceChange(s, { state: "provisioning", change: bootedInstance }),
  },
  {
    types: ["resource.failed"],
    prepare: async (s) => ({
      ...(await resourceChange(s, { state: "provisioning", change: instanceWithoutProject })),
      projectId: NO_PROJECT,
    }),
  },
  {
    types: ["resource.degraded"],
    prepare: (s) => resourceChange(s, { state: "ready", change: crashedInstance }),
  },
  {
    types: ["resource.suspended"],
    prepare: (s) => resourceChange(s, { state: "failed", change: reconciled, isActive: false }),
  },
  {
    types: ["resource.deleted"],
    prepare: (s) => resourceChange(s, { state: "failed", change: (rid) => deleteResource.run(s.owner, { rid }) }),
  },
  {
    types: ["node.health_event", "node.cordoned"],
    prepare: async (s) => {
      const { act, projectId } = await criticalNode(s);
      return { act, mode: "test", projectId };
    },
  },
  {
    types: ["node.uncordoned"],
    prepare: async (s) => {
      const { act, projectId, rid } = await criticalNode(s);
      await act();
      await t.engines.db.pod.updateMany({ where: { resourceId: rid }, data: { deletedAt: new Date() } });
      await t.engines.db.event.deleteMany({ where: { type: { in: ["node.health_event", "node.cordoned"] } } });
      return { act: () => releaseCordons(t.app.cloud), mode: "test", projectId };
    },
  },
  {
    types: ["secret.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const input = createSecret.input.parse({ name: s.unique("secret"), value: "v", project });
      return { act: () => createSecret.run(s.owner, input), mode: "test", projectId: project };
    },
  },
  {
    types: ["secret.updated"],
    prepare: async (s) => {
      const { id: name, project_id: projectId } = await s.secret();
      const act = () => putSecret.run(s.owner, { name, value: "v" });
      return { act, mode: "test", projectId: projectId ?? "" };
    },
  },
  {
    types: ["secret.deleted"],
    prepare: async (s) => {
      const { id: name, project_id: projectId } = await s.secret();
      return { act: () => deleteSecret.run(s.owner, { name }), mode: "test", projectId: projectId ?? "" };
    },
  },
  {
    types: ["queue.updated"],
    prepare: async (s) => {
      const { id: q, project_id: projectId } = await s.queue();
      return { act: () => updateQueue.run(s.owner, { q, max_receives: 9 }), mode: "test", projectId };
    },
  },
  {
    types: ["queue.purged"],
    prepare: async (s) => {
      const { id: q, project_id: projectId } = await s.queue();
      return { act: () => purgeQueue.run(s.owner, { q }), mode: "test", projectId };
    },
  },
  {
    types: ["queue.deleted"],
    prepare: async (s) => {
      const { id: q, project_id: projectId } = await s.queue();
      return { act: () => deleteQueue.run(s.owner, { q }), mode: "test", projectId };
    },
  },
  {
    types: ["webhook.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const fields = { name: "Orders", url: "https://receiver.example/?token=hidden", events: ["*"], project };
      const act = async () => keep((await createWebhook.run(s.owner, createWebhook.input.parse(fields))).secret);
      return { act, mode: "test", projectId: project };
    },
  },
  {
    types: ["webhook.updated"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.webhook();
      return { act: () => updateWebhook.run(s.owner, { id, name: "renamed" }), mode: "test", projectId };
    },
  },
  {
    types: ["webhook.updated"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.webhook();
      const act = async () => keep((await rotateWebhookSecret.run(s.owner, { id })).secret);
      return { act, mode: "test", projectId };
    },
  },
  {
    types: ["webhook.disabled", "webhook.updated"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.webhook();
      return { act: () => updateWebhook.run(s.owner, { id, status: "disabled" }), mode: "test", projectId };
    },
  },
  {
    types: ["webhook.deleted"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.webhook();
      return { act: () => deleteWebhook.run(s.owner, { id }), mode: "test", projectId };
    },
  },
  {
    types: ["balance.credited"],
    prepare: async (s) => {
      const { tenantId: tenant_id } = s.owner.actor;
      return { act: () => creditTenant({ ...t.app.account, currency: "USD" }, { tenant_id, amount_micros: 5 }) };
    },
  },
];

let t: TestApp;
let scene: AccountScene;
beforeAll(async () => {
  const tokens = async () => {
    const advertisers = await t.app.ads.db.advertiser.findMany({ select: { domainToken: true } });
    for (const { domainToken } of advertisers) keep(domainToken);
    return advertisers.map(({ domainToken }) => domainToken);
  };
  // What the background records would be among what a cause records, or come before it.
  t = await testApp({ rounds: "manual", domainSources: { records: tokens, file: async () => "" } });
  await idleMachine(t);
  scene = await accountScene(t);
});
afterAll(() => t.stop());

interface ResourceChange {
  state: ResourceState;
  change: (rid: string) => Promise<unknown>;
  /** Its service is activated. */
  isActive?: boolean;
}

/** What happens to an instance that is in a state. */
async function resourceChange(s: AccountScene, { state, change, isActive = true }: ResourceChange) {
  const rid = await s.instance(state, { isActive });
  const { projectId } = await t.engines.db.resource.findUniqueOrThrow({ where: { id: rid } });
  return { act: () => change(rid), mode: "test" as const, projectId };
}

const reconciled = (rid: string) => reconcileResource(t.app.cloud.reconciling, rid);

/** Its pod is created, and then ready without any machine. */
async function bootedInstance(id: string): Promise<void> {
  const { db } = t.engines;
  await db.resource.update({ where: { id }, data: { observedGeneration: null } });
  await reconciled(id);
  await db.pod.updateMany({ where: { resourceId: id }, data: { status: "ready" } });
  await reconciled(id);
}

async function crashedInstance(id: string): Promise<void> {
  const { id: podId } = await scene.pod();
  await t.engines.db.event.deleteMany({ where: { type: "pod.created" } });
  await t.engines.db.pod.update({ where: { id: podId }, data: { resourceId: id, status: "failed" } });
  await reconciled(id);
}

const NO_PROJECT = "prj_none";
async function instanceWithoutProject(id: string): Promise<void> {
  await t.engines.db.resource.update({ where: { id }, data: { observedGeneration: null, projectId: NO_PROJECT } });
  await reconciled(id);
}

/** A node of the tenant, of which a critical event is reported. */
async function criticalNode(s: AccountScene) {
  const { id: projectId } = await s.project();
  const { tenantId } = s.owner.actor;
  const own = { tenantId, projectId, mode: "test" as const };
  const { node, rid } = await makeOwnNode(t.app.cloud, own);
  await activateService.run(s.owner, activateService.input.parse({ service: "nlc", mode: "test" }));
  const input = reportNodeEvent.input.parse({ node_name: node, signal: "xid_79", severity: "crit", mode: "test" });
  return { act: () => reportNodeEvent.run(s.owner, input), projectId, rid };
}

async function runningScan(s: AccountScene) {
  const { id: bucketId, project_id: projectId } = await s.bucket();
  const owner = { tenantId: s.owner.actor.tenantId, projectId, bucketId, mode: "test" as const };
  return { scan: await makeShieldScan(t.app.cloud, owner), bucketId, projectId };
}

const kindOf = (type: string) => {
  const kind = ALL_EVENT_KINDS.find((one) => one.type === type);
  if (!kind) throw new Error(`no kind is called ${type}`);
  return kind;
};

it("every declared kind has an operation here that records it", () => {
  const caused = [...new Set(CAUSES.flatMap(({ types }) => types))].sort();
  expect(caused).toEqual(ALL_EVENT_KINDS.map(({ type }) => type));
});

describe("recorded once, with the declared data, by its operation:", () => {
  it.each(CAUSES)("$types", async ({ types, prepare }) => {
    const { tenantId } = scene.owner.actor;
    const { act, mode = "live", projectId = null } = await prepare(scene);
    const last = await t.engines.db.event.findFirst({ orderBy: { sequence: "desc" } });
    await act();
    const events = await t.engines.db.event.findMany({
      where: { sequence: { gt: last?.sequence ?? 0n } },
      orderBy: { sequence: "asc" },
    });
    expect(events.map(({ type }) => type)).toEqual(types);
    for (const { type, data, ...event } of events) {
      expect(kindOf(type).data.strict().safeParse(data).error).toBeUndefined();
      expect(event).toMatchObject({ tenantId, mode, projectId });
    }
  });

  it("and not again when the operation changes nothing", async () => {
    const { id, marks } = await madeKey(scene);
    await revokeApiKey.run(scene.owner, { id });
    const project = { id: marks.projectId, name: scene.unique("same") };
    await updateProject.run(scene.owner, project);
    const before = await t.engines.db.event.count();
    await revokeApiKey.run(scene.owner, { id });
    await updateProject.run(scene.owner, project);
    const { db, sql } = t.engines;
    await recordBudgetCrossings({ db, sql, clock: t.clock, currency: "USD" });
    expect(await t.engines.db.event.count()).toBe(before);
  });
});

it("no event has a secret", async () => {
  const { rows } = await t.engines.sql.query<{ text: string }>("SELECT data::text AS text FROM events");
  expect(rows.length).toBeGreaterThan(CAUSES.length);
  expect(secrets.size).toBeGreaterThan(5);
  const told = rows.map(({ text }) => text).join("\n");
  for (const secret of secrets) expect(told).not.toContain(secret);
  expect(told).not.toMatch(/token=hidden|svc_(live|test)_[a-z2-7]{48}|"(token|hash|secret|password|key)":/i);
});

describe("the list of kinds", () => {
  interface Listed {
    type: string;
    description: string;
    data_schema: z.core.JSONSchema.JSONSchema;
    example_event: { type: string; data: unknown };
  }
  it("describes each by a sentence, a JSON schema and an example", async () => {
    const key = await platformKey(scene.owner, { scopes: ["webhooks:read"] });
    const response = await manage(t, "/v1/events/kinds", { key });
    expect(response.status).toBe(200);
    const { data, next_cursor } = (await response.json()) as { data: Listed[]; next_cursor: null };
    expect(next_cursor).toBeNull();
    expect(data.map(({ type }) => type)).toEqual(ALL_EVENT_KINDS.map(({ type }) => type));
    for (const { type, description, data_schema, example_event: example } of data) {
      expect(type).toMatch(/^[a-z_]+(\.[a-z_]+)+$/);
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect(data_schema).toMatchObject({ type: "object", required: expect.any(Array) });
      expect(example.type).toBe(type);
      expect(kindOf(type).data.strict().parse(example.data)).toEqual(example.data);
    }
  });

  it("and events are read with the scope webhooks:read, and by no other key", async () => {
    const [key, other] = [
      await platformKey(scene.owner, { scopes: ["webhooks:read"] }),
      await platformKey(scene.owner, { scopes: ["ads:read"] }),
    ];
    const listed = await manage(t, "/v1/events?type=project.*&limit=1", { key });
    const { data } = (await listed.json()) as { data: { id: string; type: string }[] };
    expect(data).toMatchObject([{ type: expect.stringMatching(/^project\./), mode: "live", project_id: null }]);
    const one = await manage(t, `/v1/events/${data[0]?.id}`, { key });
    expect(await one.json()).toEqual(data[0]);
    for (const path of ["/v1/events", "/v1/events/kinds", `/v1/events/${data[0]?.id}`]) {
      expect((await manage(t, path, { key: other })).status).toBe(403);
    }
  });
});
