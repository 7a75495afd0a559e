import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasRedisServer, type RedisServer, startRedisServer } from "../../../../test/contract/redis-server";
import { NOON } from "../../../../test/factories/chat-rows";
import { type TestDatabase, testDatabase } from "../../../../test/factories/postgres";
import type { Counters } from "../../../engines/counters/counters";
import { connectRedisCounters } from "../../../engines/counters/redis-counters";
import { ManualClock } from "../../../kernel/clock";
import { announceChatRules, confirmingChatRules } from "./announce-chat-rules";
import { forgetProcess, recordHeartbeat } from "./chat-requests.sql";
import { PlainPlaces } from "./plain-places";

const PAYER = { projectId: "prj_1", mode: "live", keyId: undefined } as const;
const PLAIN = {
  id: "chr_1",
  refused_by: null,
  budget_ids: [],
  stores_bodies: null,
  cache_seconds: null,
  offers_channel_id: null,
  offers_limit: null,
};

describe.skipIf(!hasRedisServer())("an announcement of chat rules through Redis", () => {
  let database: TestDatabase;
  let redis: RedisServer;
  const processes: Counters[] = [];
  beforeAll(async () => {
    [database, redis] = await Promise.all([testDatabase(), startRedisServer()]);
    for (let i = 0; i < 3; i++) processes.push(await connectRedisCounters(redis.url));
  });
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.close()));
    await Promise.all([redis.close(), database.close()]);
  });

  /** What a registered process knows; the clock stands still, so that it never forgets by itself. */
  async function registered(processId: string, counters: Counters): Promise<PlainPlaces> {
    const places = new PlainPlaces({ clock: new ManualClock(NOON), counters, processId });
    await recordHeartbeat(database.sql, processId);
    places.registered(performance.now());
    await expect
      .poll(() => {
        places.look(PAYER).learn(PLAIN);
        return places.look(PAYER).isPlain;
      })
      .toBe(true);
    return places;
  }

  it("resolves when every process has forgotten what it knew, and waits for one that does not confirm it", async () => {
    const [first, second, third] = processes;
    if (!(first && second && third)) throw new Error("Redis is not connected.");
    const places = [await registered("chp_1", first), await registered("chp_2", second)];
    await announceChatRules(confirmingChatRules({ sql: database.sql, counters: third }), PAYER.projectId);
    expect(places.map((each) => each.look(PAYER).isPlain)).toEqual([false, false]);
    let isObeyed = false;
    await recordHeartbeat(database.sql, "chp_killed");
    const obeyed = announceChatRules(confirmingChatRules({ sql: database.sql, counters: third }), PAYER.projectId).then(
      () => {
        isObeyed = true;
      },
    );
    await registered("chp_3", first);
    expect(isObeyed).toBe(false);
    await obeyed;
    for (const id of ["chp_1", "chp_2", "chp_3", "chp_killed"]) await forgetProcess(database.sql, id);
    await Promise.all(places.map((each) => each.close()));
  });
});
