import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dropOldPartitions, ensurePartitions } from "../../../server/engines/postgres/partitions";
import { ManualClock, systemClock } from "../../../server/kernel/clock";
import { hasRedisServer } from "../../contract/redis-server";
import {
  type CapsWorld,
  candidatesOf,
  capsWorld,
  DAY_SECONDS,
  inProcess,
  onRedis,
  type Server,
  type SharedCounters,
  startCounting,
} from "./caps-world";

const ENGINES = [
  { engine: "in process", open: () => inProcess(systemClock), isThere: true },
  { engine: "on Redis", open: () => onRedis(), isThere: hasRedisServer() },
];

describe.each(ENGINES)("$engine", ({ open, isThere }) => {
  let world: CapsWorld;
  let shared: SharedCounters;
  let servers: Server[];
  beforeAll(async () => {
    if (!isThere) return;
    world = await capsWorld(systemClock, { isPatient: true });
    shared = await open();
    servers = [world.server(await shared.connect()), world.server(await shared.connect())];
    for (const server of servers) await startCounting(server);
  });
  afterAll(async () => {
    await world?.close();
    await shared?.close();
  });

  const cases = [1, 2, 10, 100, 1000].flatMap((requests) =>
    [1, 3, 60, 999, 1000].map((limit) => ({ requests, limit, served: Math.min(requests, limit) })),
  );
  it.skipIf(!isThere).each(cases)(
    "serves $served of $requests requests at once under a cap of $limit, in two servers",
    async ({ requests, limit, served }) => {
      const candidates = candidatesOf([`${limit}/${DAY_SECONDS}`, `${limit}/60/advertiser`, `${limit}/3600/channel`]);
      const user = `user-${requests}-${limit}`;
      const asking = Array.from({ length: requests }, (_, i) => servers[i % 2]?.serve(user, candidates) ?? []);
      const offers = (await Promise.all(asking)).flat();
      expect(offers).toHaveLength(served);
      // Seen or not, the places are taken: the next request gets one only where there is room.
      for (const record of offers.slice(0, 5)) await servers[0]?.see(record);
      expect(await servers[1]?.serve(user, candidates)).toHaveLength(served < limit ? 1 : 0);
    },
    300_000,
  );

  it.skipIf(!isThere)("shares an advertiser's places exactly among campaigns that are asked for at once", async () => {
    const candidates = candidatesOf(["5/3600/channel"], ["5/3600/channel"], ["5/3600/channel"]);
    const asking = Array.from({ length: 40 }, (_, i) => servers[i % 2]?.serve("shared", candidates, 3) ?? []);
    expect((await Promise.all(asking)).flat()).toHaveLength(5);
  });
});

describe("several windows", () => {
  it("from a minute to 180 days hold side by side, over the days of the table and a new start", async () => {
    const clock = new ManualClock(new Date());
    const world = await capsWorld(clock);
    const candidates = candidatesOf([`1/60`, `2/${DAY_SECONDS}`, `4/${180 * DAY_SECONDS}`]);
    let shared = await inProcess(clock);
    let server = world.server(await shared.connect());
    await startCounting(server);
    const served = async () => (await server.serve("ada", candidates)).length;
    const seeOne = async () => {
      const [record] = await server.serve("ada", candidates);
      if (!record) throw new Error("nothing was served");
      await server.see(record);
    };
    const restart = async () => {
      await server.counts.stop();
      await shared.close();
      shared = await inProcess(clock);
      server = world.server(await shared.connect());
      await startCounting(server);
    };
    const pass = async (seconds: number) => {
      clock.advance(seconds * 1000);
      await ensurePartitions(world.sql, clock.now());
      await dropOldPartitions(world.sql, clock.now());
      await restart();
    };
    await seeOne();
    expect(await served()).toBe(0);
    await pass(60);
    await seeOne();
    await pass(60);
    expect(await served()).toBe(0);
    await pass(DAY_SECONDS - 120);
    await seeOne();
    await pass(60);
    await seeOne();
    await pass(178 * DAY_SECONDS);
    expect(await served()).toBe(0);
    // The first of the four is 180 days old in a moment.
    await pass(DAY_SECONDS - 61);
    expect(await served()).toBe(0);
    await pass(1);
    await seeOne();
    expect(await served()).toBe(0);
    await world.close();
  }, 300_000);
});
