import { beforeEach, describe, expect, it, vi } from "vitest";
import { identityTest } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { sha256 } from "../../kernel/secrets";
import { KEY_ENDED } from "./api-key";
import { createKeyAuthentication, type KeyAuthentication } from "./authenticate-api-key";
import { createApiKey } from "./create-api-key";
import { revokeApiKey } from "./revoke-api-key";
import { rotateApiKey } from "./rotate-api-key";

const HERE = { address: "203.0.113.7" };

let auth: KeyAuthentication;
const t = await openForFile(identityTest());
const owner = await t.person("owner@example.com");
beforeEach(async () => {
  auth = await createKeyAuthentication(t.ctx);
  return () => auth.close();
});

const newKey = (fields: { expires_at?: string; allowed_addresses?: string[] } = {}) =>
  createApiKey.run(owner, { name: "key", scopes: ["ads:read"], mode: "live", ...fields });

/** Waits until published messages have arrived. */
const delivered = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** A promise that the test resolves. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** The next lookup reads immediately, and its result arrives when the test resolves it. */
function delayOneRead() {
  const read = t.db.apiKey.findFirst.bind(t.db.apiKey);
  const [wasRead, mayArrive] = [gate(), gate()];
  const slow = (async (...args: Parameters<typeof read>) => {
    const row = await read(...args);
    wasRead.open();
    await mayArrive.opened;
    return row;
  }) as unknown as typeof read;
  const find = vi.spyOn(t.db.apiKey, "findFirst");
  // Operations read through a transaction and never through this client.
  find.mockImplementationOnce(slow);
  return { wasRead, mayArrive, restore: () => find.mockRestore() };
}

describe("authenticating a platform key", () => {
  it("returns the tenant, project, mode and scopes of the key", async () => {
    const { id, key, project_id } = await newKey();
    expect(await auth.authenticate(key, HERE)).toEqual({
      kind: "key",
      keyId: id,
      tenantId: owner.actor.tenantId,
      projectId: project_id,
      mode: "live",
      scopes: new Set(["ads:read"]),
    });
  });

  it("rejects text that is not a key without a query", async () => {
    const find = vi.spyOn(t.db.apiKey, "findFirst");
    const { key } = await newKey();
    const wrong = [
      "",
      "svc_live_",
      key.toUpperCase(),
      `${key}a`,
      key.slice(0, -1),
      key.replace("live", "prod"),
      `${key}\n`,
    ];
    for (const token of wrong) expect(await auth.authenticate(token, HERE)).toBeUndefined();
    expect(find).not.toHaveBeenCalled();
    find.mockRestore();
  });

  it("queries the database once in ten seconds, for a known and an unknown key, whatever the number of concurrent requests", async () => {
    const { key } = await newKey();
    const unknown = `svc_live_${"a".repeat(48)}`;
    const find = vi.spyOn(t.db.apiKey, "findFirst");
    for (const token of [key, unknown]) {
      find.mockClear();
      await Promise.all(Array.from({ length: 20 }, () => auth.authenticate(token, HERE)));
      await auth.authenticate(token, HERE);
      expect(find).toHaveBeenCalledTimes(1);
      t.clock.advance(10_000);
      await auth.authenticate(token, HERE);
      expect(find).toHaveBeenCalledTimes(2);
    }
    find.mockRestore();
  });

  it("rejects a key when it expires, cached or not", async () => {
    const { key } = await newKey({ expires_at: new Date(t.clock.now().getTime() + 3000).toISOString() });
    expect(await auth.authenticate(key, HERE)).toBeDefined();
    t.clock.advance(3000);
    expect(await auth.authenticate(key, HERE)).toBeUndefined();
  });
});

describe("a revoked key", () => {
  it("is rejected immediately in every process that is notified", async () => {
    const elsewhere = await createKeyAuthentication(t.ctx);
    const { id, key } = await newKey();
    for (const each of [auth, elsewhere]) expect(await each.authenticate(key, HERE)).toBeDefined();
    await revokeApiKey.run(owner, { id: id });
    await delivered();
    for (const each of [auth, elsewhere]) expect(await each.authenticate(key, HERE)).toBeUndefined();
    await elsewhere.close();
  });

  it("is rejected ten seconds later if the message was lost", async () => {
    const { id, key } = await newKey();
    await auth.authenticate(key, HERE);
    await t.db.apiKey.update({ where: { id }, data: { revokedAt: t.clock.now() } });
    t.clock.advance(9_999);
    expect(await auth.authenticate(key, HERE)).toBeDefined();
    t.clock.advance(1);
    expect(await auth.authenticate(key, HERE)).toBeUndefined();
  });

  it.each([
    ["revoked", (id: string) => revokeApiKey.run(owner, { id })],
    ["rotated", (id: string) => rotateApiKey.run(owner, { id, grace_seconds: 0 })],
  ])("that was %s is not cached again by a lookup in progress", async (_, end) => {
    const { id, key } = await newKey();
    const { wasRead, mayArrive, restore } = delayOneRead();
    const early = auth.authenticate(key, HERE);
    await wasRead.opened;
    await end(id);
    await delivered();
    mayArrive.open();
    expect(await early).toBeUndefined();
    expect(await auth.authenticate(key, HERE)).toBeUndefined();
    restore();
  });

  it("does not remove other keys from the cache", async () => {
    const [kept, other] = [await newKey(), await newKey()];
    await auth.authenticate(kept.key, HERE);
    const find = vi.spyOn(t.db.apiKey, "findFirst");
    await t.ctx.counters.publish(KEY_ENDED, sha256(other.key));
    await delivered();
    await auth.authenticate(kept.key, HERE);
    expect(find).not.toHaveBeenCalled();
    find.mockRestore();
  });
});

describe("a rotated key", () => {
  it("works only with its new secret, immediately, in every process that is notified", async () => {
    const elsewhere = await createKeyAuthentication(t.ctx);
    const { id, key } = await newKey();
    for (const each of [auth, elsewhere]) expect(await each.authenticate(key, HERE)).toBeDefined();
    const { key: next } = await rotateApiKey.run(owner, { id, grace_seconds: 0 });
    await delivered();
    for (const each of [auth, elsewhere]) {
      expect(await each.authenticate(key, HERE)).toBeUndefined();
      expect(await each.authenticate(next, HERE)).toMatchObject({ keyId: id });
    }
    await elsewhere.close();
  });

  it("accepts both secrets until the grace period ends, cached or not", async () => {
    const { id, key } = await newKey();
    await auth.authenticate(key, HERE);
    const { key: next } = await rotateApiKey.run(owner, { id, grace_seconds: 5 });
    await delivered();
    for (const secret of [key, next]) expect(await auth.authenticate(secret, HERE)).toMatchObject({ keyId: id });
    t.clock.advance(4_999);
    expect(await auth.authenticate(key, HERE)).toBeDefined();
    t.clock.advance(1);
    expect(await auth.authenticate(key, HERE)).toBeUndefined();
    t.clock.advance(20_000);
    expect(await auth.authenticate(key, HERE)).toBeUndefined();
    expect(await auth.authenticate(next, HERE)).toBeDefined();
  });

  it("has at most two secrets: a rotation within the grace period ends the older one", async () => {
    const { id, key: first } = await newKey();
    const { key: second } = await rotateApiKey.run(owner, { id, grace_seconds: 600 });
    await auth.authenticate(first, HERE);
    const { key: third } = await rotateApiKey.run(owner, { id, grace_seconds: 600 });
    await delivered();
    const works = async (secret: string) => (await auth.authenticate(secret, HERE)) !== undefined;
    expect([await works(first), await works(second), await works(third)]).toEqual([false, true, true]);
  });

  it("is revoked with all its secrets", async () => {
    const { id, key } = await newKey();
    const { key: next } = await rotateApiKey.run(owner, { id, grace_seconds: 600 });
    for (const secret of [key, next]) await auth.authenticate(secret, HERE);
    await revokeApiKey.run(owner, { id });
    await delivered();
    for (const secret of [key, next]) expect(await auth.authenticate(secret, HERE)).toBeUndefined();
  });

  it("loses its old secret ten seconds later if the message was lost", async () => {
    const { id, key } = await newKey();
    await auth.authenticate(key, HERE);
    const deaf = { ...t.ctx.counters, publish: () => Promise.reject(new Error("away")) } as typeof t.ctx.counters;
    await rotateApiKey.run({ ...owner, counters: deaf }, { id, grace_seconds: 0 });
    t.clock.advance(9_999);
    expect(await auth.authenticate(key, HERE)).toBeDefined();
    t.clock.advance(1);
    expect(await auth.authenticate(key, HERE)).toBeUndefined();
  });
});

describe("a key with an allow-list", () => {
  const allowed_addresses = ["192.0.2.7", "198.51.100.0/24", "2001:db8::/32", "::ffff:203.0.113.0/120"];

  it.each(["192.0.2.7", "198.51.100.255", "2001:db8:1::1", "203.0.113.9", "::ffff:192.0.2.7"])(
    "works from %s",
    async (address) => {
      const { key } = await newKey({ allowed_addresses });
      expect(await auth.authenticate(key, { address })).toBeDefined();
    },
  );

  it.each(["192.0.2.8", "198.51.101.0", "2001:db9::1", "204.0.113.9", "::1", ""])(
    "is forbidden from %j, which does not count as a use",
    async (address) => {
      const { id, key } = await newKey({ allowed_addresses });
      const refused = auth.authenticate(key, { address });
      await expect(refused).rejects.toMatchObject({ code: "forbidden", details: { reason: "address_not_allowed" } });
      await auth.idle();
      expect((await t.db.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt).toBeNull();
    },
  );

  it("does not reveal the list without a valid secret", async () => {
    const { id, key } = await newKey({ allowed_addresses });
    const wrong = `${key.slice(0, -4)}aaaa`;
    expect(await auth.authenticate(wrong, { address: "192.0.2.8" })).toBeUndefined();
    await revokeApiKey.run(owner, { id });
    await delivered();
    expect(await auth.authenticate(key, { address: "192.0.2.8" })).toBeUndefined();
  });
});

describe("the last use", () => {
  it("is written at most once per minute, whatever the number of processes", async () => {
    const { id, key } = await newKey();
    const elsewhere = await createKeyAuthentication(t.ctx);
    const lastUse = async () => {
      await Promise.all([auth.idle(), elsewhere.idle()]);
      return (await t.db.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt?.getTime();
    };
    const first = t.clock.now().getTime();
    await auth.authenticate(key, HERE);
    expect(await lastUse()).toBe(first);
    t.clock.advance(59_999);
    await Promise.all([auth.authenticate(key, HERE), elsewhere.authenticate(key, HERE)]);
    expect(await lastUse()).toBe(first);
    t.clock.advance(60_000);
    await Promise.all([auth.authenticate(key, HERE), elsewhere.authenticate(key, HERE)]);
    expect(await lastUse()).toBe(t.clock.now().getTime());
    await elsewhere.close();
  });
});
