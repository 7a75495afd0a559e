import { beforeEach, describe, expect, it } from "vitest";
import { identityTest, type Person } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { throughPipeline } from "../../../test/factories/through-pipeline";
import { CHANNELS_QUOTA } from "../../ads/channels/channels.quotas";
import { createApiKey } from "../api-keys/create-api-key";
import { createProject } from "../projects/create-project";
import { assertQuota } from "./assert-quota";
import { listQuotas } from "./list-quotas";
import { Quota } from "./quota";
import { setQuota } from "./set-quota";

let owner: Person;
let count = 0;
const t = await openForFile(identityTest());
beforeEach(async () => {
  owner = await t.person(`owner${++count}@example.com`);
});

const set = (resource: string, limit: number | null) =>
  setQuota(t.ctx, { tenant_id: owner.actor.tenantId, resource, limit });
const quotaOf = async (resource: string) =>
  (await listQuotas.run(owner, {})).data.find((quota) => quota.resource === resource);

describe("the list of limits", () => {
  it("names every resource once with what its schema promises, on one page", async () => {
    const { data, next_cursor } = await listQuotas.run(owner, {});
    expect(data.map(({ resource }) => resource)).toEqual(t.ctx.quotas.map(({ resource }) => resource));
    for (const quota of data) expect(Quota.parse(quota)).toEqual(quota);
    expect(next_cursor).toBeNull();
  });

  it("counts the projects that are not archived, and the keys of the project with the most keys", async () => {
    const project = await createProject.run(owner, { name: "second" });
    for (const name of ["a", "b"]) {
      await createApiKey.run(owner, { name, scopes: ["ads:read"], project: project.id });
    }
    await createApiKey.run(owner, { name: "c", scopes: ["ads:read"], project: "default" });
    expect(await quotaOf("projects")).toMatchObject({ used: 2, limit: 100, default_limit: 100, liftable: true });
    expect(await quotaOf("active_keys_per_project")).toMatchObject({ used: 2, limit: 100, liftable: false });
    expect(await quotaOf("requests_per_minute")).toMatchObject({ used: null, limit: 600 });
  });

  it("requires the scope usage:read", async () => {
    const actor = { ...owner.actor, scopes: new Set<never>() };
    await expect(throughPipeline({ ...owner, actor }, listQuotas, {})).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("an operator's limit", () => {
  it("applies only to its tenant until it is removed", async () => {
    const other = await t.person(`other${count}@example.com`);
    expect(await set("channels", 5)).toMatchObject({ resource: "channels", limit: 5, default_limit: 1000 });
    expect(await quotaOf("channels")).toMatchObject({ limit: 5 });
    expect((await listQuotas.run(other, {})).data.find(({ resource }) => resource === "channels")?.limit).toBe(1000);
    expect(await set("channels", null)).toMatchObject({ limit: 1000 });
    expect(await t.db.quota.count({ where: { tenantId: owner.actor.tenantId } })).toBe(0);
  });

  it("leaves an audit entry of the operator when it changes something", async () => {
    await set("campaigns", 20_000);
    await set("campaigns", 20_000);
    await set("campaigns", null);
    await set("campaigns", null);
    const entries = await t.db.auditEntry.findMany({
      where: { tenantId: owner.actor.tenantId, action: "quota.changed" },
      orderBy: { sequence: "asc" },
    });
    expect(entries.map(({ actor, targets, details }) => [actor, targets, details])).toEqual([
      [
        { type: "operator" },
        [{ type: "quota", id: "campaigns" }],
        { changes: { limit: { from: 10_000, to: 20_000 } } },
      ],
      [
        { type: "operator" },
        [{ type: "quota", id: "campaigns" }],
        { changes: { limit: { from: 20_000, to: 10_000 } } },
      ],
    ]);
  });

  it.each([
    ["active_keys_per_project", 200, "resource"],
    ["requests_per_minute", 0, "limit"],
    ["channels", -1, "limit"],
    ["channels", 1e12, "limit"],
    ["nonsense", 1, "resource"],
  ] as const)("is rejected for %s = %d", async (resource, limit, param) => {
    await expect(set(resource, limit)).rejects.toMatchObject({ code: "invalid_request", param });
  });

  it("is rejected for a tenant that does not exist", async () => {
    const nowhere = setQuota(t.ctx, { tenant_id: "ten_none", resource: "channels", limit: 1 });
    await expect(nowhere).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the quota check", () => {
  const makeChannel = () =>
    t.db.$transaction(async (tx) => {
      const { tenantId } = owner.actor;
      await assertQuota(tx, owner.actor, CHANNELS_QUOTA);
      const now = t.clock.now();
      await tx.channel.create({
        data: { id: `chn_${Math.random()}`, tenantId, mode: "test", name: "c", createdAt: now, updatedAt: now },
      });
    });

  it("allows exactly as many concurrent creations as the limit", async () => {
    await set("channels", 7);
    const made = await Promise.allSettled(Array.from({ length: 30 }, makeChannel));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    expect(await quotaOf("channels")).toMatchObject({ used: 7, limit: 7 });
  });

  it("rejects everything at a limit of 0, without a time to retry", async () => {
    await set("channels", 0);
    await expect(makeChannel()).rejects.toMatchObject({
      code: "quota_exceeded",
      message: "The limit of 0 channels is reached; archive one, or ask the operator of svc to raise the limit.",
      details: { resource: "channels", limit: 0 },
      retryAfterSeconds: undefined,
    });
  });
});
