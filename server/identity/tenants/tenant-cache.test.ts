import { beforeEach, expect, it, vi } from "vitest";
import { identityTest } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { setQuota } from "../quotas/set-quota";
import { getTenant } from "./get-tenant";
import { renameTenant } from "./rename-tenant";
import { createTenantCache, type TenantCache } from "./tenant-cache";

let tenants: TenantCache;
let elsewhere: TenantCache;
const t = await openForFile(identityTest());
const owner = await t.person("owner@example.com");
beforeEach(async () => {
  [tenants, elsewhere] = [await createTenantCache(t.ctx), await createTenantCache(t.ctx)];
  return async () => {
    await tenants.close();
    await elsewhere.close();
  };
});

/** Waits until published messages have arrived. */
const delivered = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const nameIn = async (cache: TenantCache) => (await getTenant.run({ ...owner, tenants: cache }, {})).name;
const raise = (limit: number | null) =>
  setQuota(t.ctx, { tenant_id: owner.actor.tenantId, resource: "requests_per_minute", limit });

it("queries the database once in ten seconds, for the tenant and its rate together", async () => {
  const find = vi.spyOn(t.db.tenant, "findUnique");
  await Promise.all([nameIn(tenants), tenants.limitsOf(owner.actor), nameIn(tenants)]);
  expect(find).toHaveBeenCalledTimes(1);
  t.clock.advance(10_000);
  await nameIn(tenants);
  expect(find).toHaveBeenCalledTimes(2);
  find.mockRestore();
});

it("returns a new name and rate immediately, in every process that is notified", async () => {
  for (const each of [tenants, elsewhere]) expect(await each.limitsOf(owner.actor)).toEqual({ requestsPerMinute: 600 });
  await renameTenant.run(owner, { name: "Acme" });
  await raise(6000);
  await delivered();
  for (const each of [tenants, elsewhere]) {
    expect(await nameIn(each)).toBe("Acme");
    expect(await each.limitsOf(owner.actor)).toEqual({ requestsPerMinute: 6000 });
  }
  await raise(null);
  await delivered();
  expect(await elsewhere.limitsOf(owner.actor)).toEqual({ requestsPerMinute: 600 });
});

it("returns them ten seconds later if the message was lost", async () => {
  const before = await nameIn(tenants);
  await t.db.tenant.update({ where: { id: owner.actor.tenantId }, data: { name: "Silent" } });
  t.clock.advance(9_999);
  expect(await nameIn(tenants)).toBe(before);
  t.clock.advance(1);
  expect(await nameIn(tenants)).toBe("Silent");
});

it("returns no tenant for an unknown id, and the default rate", async () => {
  const actor = { ...owner.actor, tenantId: "ten_none" };
  await expect(getTenant.run({ ...owner, actor, tenants }, {})).rejects.toMatchObject({ code: "not_found" });
  expect(await tenants.limitsOf(actor)).toEqual({ requestsPerMinute: 600 });
});
