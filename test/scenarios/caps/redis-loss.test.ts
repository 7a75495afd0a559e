import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OfferRecord } from "../../../server/ads/offer-records/offer-record";
import { systemClock } from "../../../server/kernel/clock";
import { hasRedisServer } from "../../contract/redis-server";
import { eventually } from "../../factories/app";
import { type CapsWorld, candidatesOf, capsWorld, DAY_SECONDS, isCounting, onRedis, type Server } from "./caps-world";

const USERS = 40;
const LIMIT = 3;
let groups = 0;

interface Group {
  users: string[];
  /** What its users were served of the capped campaign. */
  offers: OfferRecord[];
}

describe.skipIf(!hasRedisServer())("frequency caps on Redis", () => {
  let world: CapsWorld;
  let shared: Awaited<ReturnType<typeof onRedis>>;
  let redis: Redis;
  let servers: [Server, Server];
  const startServer = async (): Promise<Server> => {
    const server = world.server(await shared.connect());
    await server.counts.start();
    return server;
  };
  beforeAll(async () => {
    world = await capsWorld(systemClock);
    shared = await onRedis({ callTimeoutMs: 10_000 });
    redis = new Redis(shared.server.url);
    servers = [await startServer(), await startServer()];
    for (const server of servers) await eventually(() => isCounting(server));
  });
  afterAll(async () => {
    redis.disconnect();
    await world.close();
    await shared.close();
  });

  /** Both servers serve every user again and again, some offers are seen, until `isOver`. */
  async function drive({ users, offers }: Group, isOver: () => boolean): Promise<{ uncapped: number }> {
    const candidates = candidatesOf([`${LIMIT}/${DAY_SECONDS}`], []);
    let uncapped = 0;
    const worker = async (number: number) => {
      for (let i = number; !isOver(); i += 7) {
        const server = servers[i % 2] ?? servers[0];
        const served = await server.serve(users[i % users.length] ?? "", candidates, 2);
        const capped = served.filter(({ caps }) => caps);
        uncapped += served.length - capped.length;
        offers.push(...capped);
        for (const record of capped) if (i % 3 !== 0) await server.see(record);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, i) => worker(i)));
    return { uncapped };
  }

  const countsOf = ({ users, offers }: Group) =>
    users.map((user) => offers.filter(({ userKey }) => userKey === user).length);

  it.each([
    ["emptied", async () => void (await redis.flushall())],
    ["restarted without its memory", () => shared.server.restart()],
    [
      "restarted with an old copy of its memory",
      async () => {
        await redis.save();
        await new Promise((resolve) => setTimeout(resolve, 200));
        await shared.server.restart();
      },
    ],
  ])(
    "%s in mid-window are put back, never exceeded, and what has no caps goes on",
    async (_name, lose) => {
      for (const server of servers) await eventually(() => isCounting(server), 60_000);
      const group: Group = { users: Array.from({ length: USERS }, (_, i) => `user-${groups}-${i}`), offers: [] };
      groups++;
      await drive(group, () => group.offers.length > 50);
      const atLoss = group.offers.length;
      let isBack = false;
      const losing = (async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        await lose();
        await new Promise((resolve) => setTimeout(resolve, 1000));
        for (const server of servers) await eventually(() => isCounting(server), 60_000);
        isBack = true;
      })();
      const { uncapped } = await drive(group, () => isBack);
      await losing;
      expect(uncapped).toBeGreaterThan(50);
      let more = 0;
      await drive(group, () => more++ > 600);
      expect(group.offers.length).toBeGreaterThan(atLoss);
      expect(Math.max(...countsOf(group))).toBe(LIMIT);
    },
    300_000,
  );

  const heldUntilMs = async ({ id, caps }: OfferRecord): Promise<number> => {
    const [window] = caps?.windows ?? [];
    const user = caps?.user ?? "";
    return Number(await redis.zscore(`svc:cap:{${user.length}:${user}}:${window?.windowMs}:${window?.key}`, id));
  };
  const serveOne = async (): Promise<OfferRecord> => {
    await eventually(() => isCounting(servers[0]), 60_000);
    const [record] = await servers[0].serve("ada", candidatesOf([`${LIMIT}/${DAY_SECONDS}`]));
    if (!record) throw new Error("nothing was served");
    expect(await heldUntilMs(record)).toBeLessThan(Date.now() + 3 * 3_600_000);
    return record;
  };
  const isCounted = async (record: OfferRecord): Promise<boolean> =>
    (await heldUntilMs(record)) === (record.caps?.reservedAtMs ?? 0) + DAY_SECONDS * 1000;

  it("learn later of an impression that was claimed while Redis took nothing in, and kept its memory", async () => {
    const record = await serveOne();
    await redis.config("SET", "maxmemory", "1");
    await servers[0].see(record);
    expect(await isCounted(record)).toBe(false);
    await redis.config("SET", "maxmemory", "0");
    await eventually(() => isCounted(record));
  }, 300_000);

  it("learn at the next start of an impression whose server was killed right after its claim", async () => {
    const record = await serveOne();
    await world.claim(record);
    expect(await isCounted(record)).toBe(false);
    await startServer();
    await eventually(() => isCounted(record));
  }, 300_000);

  it("are put back by one server of many that start at once", async () => {
    const { rows } = await world.sql.query<{ at: Date }>("SELECT clock_timestamp() AS at");
    await redis.flushall();
    const more = await Promise.all([startServer(), startServer(), startServer()]);
    for (const server of [...servers, ...more]) await eventually(() => isCounting(server), 60_000);
    const epochs = await redis.hgetall("svc:caps:epoch");
    expect(Number(epochs.through)).toBeGreaterThanOrEqual(rows[0]?.at.getTime() ?? Number.POSITIVE_INFINITY);
    const before = epochs.epoch;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect((await redis.hgetall("svc:caps:epoch")).epoch).toBe(before);
  }, 300_000);
});
