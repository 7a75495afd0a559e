import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { reviewAdvertiser } from "../../server/ads/advertisers/review-advertiser";
import { creditTenant } from "../../server/ads/balances/credit-tenant";
import { recordBudgetCrossings } from "../../server/ads/budgets/record-budget-crossings";
import { createCampaign } from "../../server/ads/campaigns/create-campaign";
import { recordBudgetCrossings as recordChatBudgetCrossings } from "../../server/cloud/ai/ledger/record-budget-crossings";
import { releaseCordons } from "../../server/cloud/compute/node-events/release-cordons";
import { reportNodeEvent } from "../../server/cloud/compute/node-events/report-node-event";
import { LAST_RUN } from "../../server/cloud/compute/pod-records/stored-pod";
import { createPod } from "../../server/cloud/compute/pods/create-pod";
import { recordExit, recordRunStart } from "../../server/cloud/compute/pods/record-run";
import { requestReclaim } from "../../server/cloud/compute/pods/request-reclaim";
import { stopPod } from "../../server/cloud/compute/pods/stop-pod";
import { advanceReservations } from "../../server/cloud/compute/reservations/advance-reservations";
import { createSandbox } from "../../server/cloud/compute/sandboxes/create-sandbox";
import { announceChange } from "../../server/cloud/compute/workspaces/announce-change";
import { createWorkspace } from "../../server/cloud/compute/workspaces/create-workspace";
import { readWorkspace } from "../../server/cloud/compute/workspaces/find-workspace";
import { reconcileResource } from "../../server/cloud/core/reconciler/reconciler";
import type { ResourceState } from "../../server/cloud/core/records/resource-states";
import { activateService } from "../../server/cloud/core/resources/activate-service";
import { createResource } from "../../server/cloud/core/resources/create-resource";
import { checkBudgets } from "../../server/cloud/money/billing/check-budgets";
import { putBillingBudget } from "../../server/cloud/money/billing/put-billing-budget";
import { completeScan, failScan } from "../../server/cloud/shield/scans/end-scan";
import { ALL_EVENT_KINDS } from "../../server/event-kinds";
import { revokeApiKey } from "../../server/identity/api-keys/revoke-api-key";
import { updateProject } from "../../server/identity/projects/update-project";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { type AccountScene, accountScene } from "../factories/account-scene";
import { type TestApp, testApp } from "../factories/app";
import { makeMeteredRun } from "../factories/billing";
import { manage, platformKey } from "../factories/calls";
import { CHANGES } from "../factories/changes/changes";
import { makeOwnNode, makeShieldScan } from "../factories/cloud-rows";
import { expectEvent, kindOf } from "../factories/events";
import { openForFile } from "../factories/open-for-file";
import { idleNode } from "../factories/pod-scene";

interface Cause {
  /** The kinds that it records, in order. */
  types: string[];
  /** Prepares, and returns the cause and how its events are marked. */
  prepare: (s: AccountScene) => Promise<{ act: () => Promise<unknown>; mode?: "test"; projectId?: string }>;
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
  await recordRunStart(t.app.cloud, `${id}-1`, { startedAt, runtime });
  if (status === "stopped") await stopPod.run(s.owner, { id });
  const exit = { code: status === "completed" ? 0 : 1, signal: null, oomKilled: false };
  const outcome = status === "completed" ? ("complete" as const) : ("fail" as const);
  return () => recordExit(t.app.cloud, `${id}-1`, { startedAt, endedAt: t.clock.now(), exit, outcome });
}

/** Of people who signed up with an invitation. */
const invitationTokens: string[] = [];

/** What records events besides the changes of `CHANGES`: background work, runs, operators, and what needs a node. */
const CAUSES: Cause[] = [
  {
    // A sign-up with an invitation.
    types: ["invitation.accepted", "member.joined"],
    prepare: async (s) => {
      const email = s.newEmail();
      const token = await s.tokenFor(email, () => s.invite(email));
      invitationTokens.push(token);
      return { act: () => s.newPerson(email, token) };
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
    types: ["sandbox.created"],
    prepare: async (s) => {
      const { id: project } = await s.project();
      const env = { PASSWORD: "token=hidden" };
      const input = createSandbox.input.parse({ image: "alpine", project, env, command: ["token=hidden"] });
      return { act: () => createSandbox.run(s.owner, input), mode: "test", projectId: project };
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
    types: ["pod.ready"],
    prepare: async (s) => {
      const { id, project_id: projectId } = await s.pod();
      const runtime = { kind: "namespaces", isolation: "", limits_enforced: true, gpu: "none" as const };
      const act = () => recordRunStart(t.app.cloud, `${id}-1`, { startedAt: t.clock.now(), runtime });
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
    types: ["balance.credited"],
    prepare: async (s) => {
      const { tenantId: tenant_id } = s.owner.actor;
      return { act: () => creditTenant({ ...t.app.account, currency: "USD" }, { tenant_id, amount_micros: 5 }) };
    },
  },
];

const tokens = async () => {
  const advertisers = await t.app.ads.db.advertiser.findMany({ select: { domainToken: true } });
  return advertisers.map(({ domainToken }) => domainToken);
};
// What the background records would be among what a cause records, or come before it.
const t: TestApp = await openForFile(
  testApp({ rounds: "manual", domainSources: { records: tokens, file: async () => "" } }),
);
await idleNode(t);
const scene = await accountScene(t);

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

/** Its pod is created, and then ready without any node. */
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

it("every declared kind is recorded by a change (audited-changes.test.ts) or by a cause here", () => {
  const caused = [...CAUSES.flatMap(({ types }) => types), ...CHANGES.flatMap(({ events = [] }) => events)];
  expect([...new Set(caused)].sort()).toEqual(ALL_EVENT_KINDS.map(({ type }) => type));
});

describe("recorded once, with the declared data, by its cause:", () => {
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
    for (const event of events) expectEvent(event, { tenantId, mode, projectId });
  });

  it("and not again when the operation changes nothing", async () => {
    const { id, project_id: projectId } = await scene.key();
    await revokeApiKey.run(scene.owner, { id });
    const project = { id: projectId, name: scene.unique("same") };
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
  const told = rows.map(({ text }) => text).join("\n");
  expect(invitationTokens.length).toBeGreaterThan(0);
  for (const token of invitationTokens) expect(told).not.toContain(token);
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
