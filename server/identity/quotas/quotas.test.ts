import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type IdentityTest, identityTest, type Person } from "../../../test/factories/identity";
import { createApiKey } from "../api-keys/create-api-key";
import { createProject } from "../projects/create-project";
import { listQuotas } from "./list-quotas";
import { QUOTA_RESOURCES, Quota, type QuotaResource } from "./quota";
import { requireRoom } from "./require-room";
import { setQuota } from "./set-quota";

let t: IdentityTest;
let owner: Person;
let count = 0;
beforeAll(async () => {
  t = await identityTest();
});
beforeEach(async () => {
  owner = await t.person(`owner${++count}@example.com`);
});
afterAll(() => t.close());

const set = (resource: QuotaResource, limit: number | null) =>
  setQuota(t.ctx, { tenant_id: owner.actor.tenantId, resource, limit });
const quotaOf = async (resource: QuotaResource) =>
  (await listQuotas(owner, {})).data.find((quota) => quota.resource === resource);

describe("the list of limits", () => {
  it("names every resource once with what its schema promises, on one page", async () => {
    const { data, next_cursor } = await listQuotas(owner, {});
    expect(data.map(({ resource }) => resource)).toEqual(QUOTA_RESOURCES);
    for (const quota of data) expect(Quota.parse(quota)).toEqual(quota);
    expect(next_cursor).toBeNull();
  });

  it("counts what the tenant has: living projects, and the keys of its fullest project", async () => {
    const project = await createProject(owner, { name: "second" });
    for (const name of ["a", "b"]) {
      await createApiKey(owner, { name, scopes: ["ads:read"], project: project.id });
    }
    await createApiKey(owner, { name: "c", scopes: ["ads:read"], project: "default" });
    expect(await quotaOf("projects")).toMatchObject({ used: 2, limit: 100, default_limit: 100, liftable: true });
    expect(await quotaOf("active_keys_per_project")).toMatchObject({ used: 2, limit: 100, liftable: false });
    expect(await quotaOf("requests_per_minute")).toMatchObject({ used: null, limit: 600 });
  });

  it("takes the scope usage:read", async () => {
    const actor = { ...owner.actor, scopes: new Set<never>() };
    await expect(listQuotas({ ...owner, actor }, {})).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("an operator's limit", () => {
  it("holds for its tenant alone until it is taken back", async () => {
    const other = await t.person(`other${count}@example.com`);
    expect(await set("channels", 5)).toMatchObject({ resource: "channels", limit: 5, default_limit: 1000 });
    expect(await quotaOf("channels")).toMatchObject({ limit: 5 });
    expect((await listQuotas(other, {})).data.find(({ resource }) => resource === "channels")?.limit).toBe(1000);
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
  ] as const)("is refused for %s = %d", async (resource, limit, param) => {
    await expect(set(resource, limit)).rejects.toMatchObject({ code: "invalid_request", param });
  });

  it("is refused for a tenant that does not exist", async () => {
    const nowhere = setQuota(t.ctx, { tenant_id: "ten_none", resource: "channels", limit: 1 });
    await expect(nowhere).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("room for one more", () => {
  const makeChannel = () =>
    t.db.$transaction(async (tx) => {
      const { tenantId } = owner.actor;
      await requireRoom(tx, owner.actor, "channels");
      const now = t.clock.now();
      await tx.channel.create({
        data: { id: `chn_${Math.random()}`, tenantId, mode: "test", name: "c", createdAt: now, updatedAt: now },
      });
    });

  it("is given to exactly as many as fit when many ask at once", async () => {
    await set("channels", 7);
    const made = await Promise.allSettled(Array.from({ length: 30 }, makeChannel));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    expect(await quotaOf("channels")).toMatchObject({ used: 7, limit: 7 });
  });

  it("is missing below a limit of nothing, and there is no word on when to retry", async () => {
    await set("channels", 0);
    await expect(makeChannel()).rejects.toMatchObject({
      code: "quota_exceeded",
      message: "The limit of 0 channels is reached; archive one, or ask the operator of svc to lift the limit.",
      details: { resource: "channels", limit: 0 },
      retryAfterSeconds: undefined,
    });
  });
});
