import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type IdentityTest, identityTest, type Person } from "../../../test/factories/identity";
import { sha256 } from "../../kernel/secrets";
import { KEY_REVOKED } from "./api-key";
import { createKeyAuthentication, type KeyAuthentication } from "./authenticate-api-key";
import { createApiKey } from "./create-api-key";
import { revokeApiKey } from "./revoke-api-key";

let t: IdentityTest;
let owner: Person;
let auth: KeyAuthentication;
beforeAll(async () => {
  t = await identityTest();
  owner = await t.person("owner@example.com");
});
afterAll(() => t.close());
beforeEach(async () => {
  auth = await createKeyAuthentication(t.ctx);
  return () => auth.close();
});

const newKey = (fields: { expires_at?: string } = {}) =>
  createApiKey(owner, { name: "key", scopes: ["ads:read"], mode: "live", ...fields });

/** Lets what was published arrive. */
const delivered = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** A promise that the test resolves by hand. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("authenticating a platform key", () => {
  it("answers the tenant, project, mode and scopes that the key is bound to", async () => {
    const { id, key, project_id } = await newKey();
    expect(await auth.authenticate(key)).toEqual({
      kind: "key",
      keyId: id,
      tenantId: owner.actor.tenantId,
      projectId: project_id,
      mode: "live",
      scopes: new Set(["ads:read"]),
    });
  });

  it("refuses what is no key without asking the database", async () => {
    const find = vi.spyOn(t.db.apiKey, "findUnique");
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
    for (const token of wrong) expect(await auth.authenticate(token)).toBeUndefined();
    expect(find).not.toHaveBeenCalled();
    find.mockRestore();
  });

  it("asks the database once in ten seconds, for a key and for an unknown one, however many ask at once", async () => {
    const { key } = await newKey();
    const unknown = `svc_live_${"a".repeat(48)}`;
    const find = vi.spyOn(t.db.apiKey, "findUnique");
    for (const token of [key, unknown]) {
      find.mockClear();
      await Promise.all(Array.from({ length: 20 }, () => auth.authenticate(token)));
      await auth.authenticate(token);
      expect(find).toHaveBeenCalledTimes(1);
      t.clock.advance(10_000);
      await auth.authenticate(token);
      expect(find).toHaveBeenCalledTimes(2);
    }
    find.mockRestore();
  });

  it("refuses a key at the moment it expires, remembered or not", async () => {
    const { key } = await newKey({ expires_at: new Date(t.clock.now().getTime() + 3000).toISOString() });
    expect(await auth.authenticate(key)).toBeDefined();
    t.clock.advance(3000);
    expect(await auth.authenticate(key)).toBeUndefined();
  });
});

describe("a revoked key", () => {
  it("is refused at once in every process that hears of it", async () => {
    const elsewhere = await createKeyAuthentication(t.ctx);
    const { id, key } = await newKey();
    for (const each of [auth, elsewhere]) expect(await each.authenticate(key)).toBeDefined();
    await revokeApiKey(owner, { key_id: id });
    await delivered();
    for (const each of [auth, elsewhere]) expect(await each.authenticate(key)).toBeUndefined();
    await elsewhere.close();
  });

  it("is refused ten seconds later where the message was lost", async () => {
    const { id, key } = await newKey();
    await auth.authenticate(key);
    await t.db.apiKey.update({ where: { id }, data: { revokedAt: t.clock.now() } });
    t.clock.advance(9_999);
    expect(await auth.authenticate(key)).toBeDefined();
    t.clock.advance(1);
    expect(await auth.authenticate(key)).toBeUndefined();
  });

  it("is not brought back by a look-up that was under way", async () => {
    const { id, key } = await newKey();
    const read = t.db.apiKey.findUnique.bind(t.db.apiKey);
    const [wasRead, mayArrive] = [gate(), gate()];
    // The first look-up reads the live row, and its answer arrives after the revocation was heard.
    const slow = (async (...args: Parameters<typeof read>) => {
      const row = await read(...args);
      wasRead.open();
      await mayArrive.opened;
      return row;
    }) as unknown as typeof read;
    const find = vi.spyOn(t.db.apiKey, "findUnique").mockImplementationOnce(slow);
    const early = auth.authenticate(key);
    await wasRead.opened;
    await revokeApiKey(owner, { key_id: id });
    await delivered();
    mayArrive.open();
    expect(await early).toBeUndefined();
    expect(await auth.authenticate(key)).toBeUndefined();
    find.mockRestore();
  });

  it("does not forget other keys", async () => {
    const [kept, other] = [await newKey(), await newKey()];
    await auth.authenticate(kept.key);
    const find = vi.spyOn(t.db.apiKey, "findUnique");
    await t.ctx.counters.publish(KEY_REVOKED, sha256(other.key));
    await delivered();
    await auth.authenticate(kept.key);
    expect(find).not.toHaveBeenCalled();
    find.mockRestore();
  });
});

describe("the last use", () => {
  it("is written at most once a minute, by however many processes", async () => {
    const { id, key } = await newKey();
    const elsewhere = await createKeyAuthentication(t.ctx);
    const lastUse = async () => {
      await Promise.all([auth.settled(), elsewhere.settled()]);
      return (await t.db.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt?.getTime();
    };
    const first = t.clock.now().getTime();
    await auth.authenticate(key);
    expect(await lastUse()).toBe(first);
    t.clock.advance(59_999);
    await Promise.all([auth.authenticate(key), elsewhere.authenticate(key)]);
    expect(await lastUse()).toBe(first);
    t.clock.advance(60_000);
    await Promise.all([auth.authenticate(key), elsewhere.authenticate(key)]);
    expect(await lastUse()).toBe(t.clock.now().getTime());
    await elsewhere.close();
  });
});
