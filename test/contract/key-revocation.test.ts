import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectRedisCounters } from "../../server/engines/counters/redis-counters";
import { createKeyAuthentication, type KeyAuthentication } from "../../server/identity/api-keys/authenticate-api-key";
import { createApiKey } from "../../server/identity/api-keys/create-api-key";
import { revokeApiKey } from "../../server/identity/api-keys/revoke-api-key";
import { rotateApiKey } from "../../server/identity/api-keys/rotate-api-key";
import type { KeyCtx } from "../../server/identity/identity-ctx";
import { type IdentityTest, identityTest, type Person } from "../factories/identity";
import { hasRedisServer, type RedisServer, startRedisServer } from "./redis-server";

const HERE = { address: "203.0.113.7" };
/** The specification's limit; the clock of these tests stands still, so that only the message can end a key. */
const WITHIN = { timeout: 30_000, interval: 5 };

describe.skipIf(!hasRedisServer())("a key that ends in one process", () => {
  let t: IdentityTest;
  let owner: Person;
  let redis: RedisServer;
  let here: Awaited<ReturnType<typeof process>>;
  let there: Awaited<ReturnType<typeof process>>;
  beforeAll(async () => {
    [t, redis] = await Promise.all([identityTest(), startRedisServer()]);
    owner = await t.person("owner@example.com");
    [here, there] = [await process(), await process()];
  });
  afterAll(async () => {
    for (const each of [here, there]) await each.close();
    await redis.close();
    await t.close();
  });

  /** What one server process has of its own: a connection to Redis and a memory of keys. */
  async function process() {
    const counters = await connectRedisCounters(redis.url);
    const auth: KeyAuthentication = await createKeyAuthentication({ ...t.ctx, counters });
    const ctx: KeyCtx = { ...owner, counters };
    const works = async (key: string) => (await auth.authenticate(key, HERE)) !== undefined;
    const close = async () => {
      await auth.close();
      await counters.close();
    };
    return { ctx, works, close };
  }

  async function knownKey(): Promise<{ id: string; key: string }> {
    const made = await createApiKey.run(owner, { name: "k", scopes: ["ads:read"] });
    for (const each of [here, there]) expect(await each.works(made.key)).toBe(true);
    return made;
  }

  it("is refused in the other one when it was revoked", async () => {
    const { id, key } = await knownKey();
    await revokeApiKey.run(here.ctx, { id });
    for (const each of [here, there]) await expect.poll(() => each.works(key), WITHIN).toBe(false);
  });

  it("is refused in the other one when it was rotated, where the new secret works", async () => {
    const { id, key } = await knownKey();
    const { key: next } = await rotateApiKey.run(here.ctx, { id, grace_seconds: 0 });
    expect(await there.works(next)).toBe(true);
    for (const each of [here, there]) await expect.poll(() => each.works(key), WITHIN).toBe(false);
  });
});
