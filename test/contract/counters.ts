import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConfirmCaps, Counters, ReserveCaps } from "../../server/engines/counters/counters";

interface CountersUnderTest {
  counters: Counters;
  /** The same state through another connection (in process: the same object). */
  other: Counters;
  /** Resolves when the engine's clock has moved by at least this much. */
  pass(ms: number): Promise<void>;
  /** How much the engine's clock may have moved by itself between two calls; 0 for a clock that stands still. */
  slackMs: number;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
let serial = 0;
const fresh = (name: string) => `${name}-${Date.now()}-${serial++}`;

/** What every counters engine must keep; each engine's test file runs it on a live one. */
export function countersContract(
  name: string,
  make: () => Promise<CountersUnderTest>,
  { hasRealClock }: { hasRealClock: boolean },
): void {
  describe(`counters: ${name}`, () => {
    let under: CountersUnderTest;
    beforeAll(async () => {
      under = await make();
    });
    afterAll(() => under.close());

    rates(() => under);
    windows(() => under);
    tallies(() => under);
    caps(() => under);
    looks(() => under);
    wholeness(() => under);
    // They wait for a clock, each for its own keys: side by side where the clock is real.
    describe("in time", { concurrent: hasRealClock }, () => {
      rateTime(() => under);
      windowTime(() => under);
      capTime(() => under);
    });
    topics(() => under);
  });
}

/** An addition to a tally. */
const add = (key: string, by: number, lifeMs = HOUR_MS) => ({ key, by, lifeMs });

function tallies(get: () => CountersUnderTest): void {
  it("adds to each tally in one step, in the order given, and with 0 only reads", async () => {
    const { counters, other } = get();
    const [a, b] = [fresh("tally"), fresh("tally")];
    expect(await counters.count([add(a, 2), add(b, 5), add(a, 1), add(b, 0)])).toEqual([2, 5, 3, 5]);
    expect(await other.count([add(b, 0), add(a, 0), add(fresh("tally"), 0)])).toEqual([5, 3, 0]);
    expect(await counters.count([])).toEqual([]);
  });

  it("gives each of 200 parallel callers a total of its own", async () => {
    const key = fresh("tally");
    const callers = Array.from({ length: 200 }, (_, i) => (i % 2 ? get().counters : get().other).count([add(key, 1)]));
    const totals = (await Promise.all(callers)).flat();
    expect(totals.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
  });

  it("refuses what is no addition", async () => {
    for (const tally of [add("k", -1), add("k", 0.5), add("k", 1, 0)])
      await expect(get().counters.count([tally])).rejects.toThrow(RangeError);
  });
}

function rates(get: () => CountersUnderTest): void {
  /** Within the slack below the exact value. */
  const near = (actual: number, exact: number) => {
    expect(actual).toBeLessThanOrEqual(exact);
    expect(actual).toBeGreaterThanOrEqual(exact - get().slackMs);
  };

  it("lets exactly the burst pass under 200 parallel callers", async () => {
    for (const [burst, perSecond] of [
      [1, 0.001],
      [10, 1 / 3600],
      [73, 1 / 700],
      [200, 0.01],
    ] as const) {
      const key = fresh("burst");
      const callers = Array.from({ length: 200 }, (_, i) =>
        (i % 2 ? get().counters : get().other).take(key, { perSecond, burst }),
      );
      const allowed = (await Promise.all(callers)).filter((verdict) => verdict.allowed);
      expect(allowed).toHaveLength(burst);
    }
  });

  it("gives the same verdicts as the table: cost, remaining, retry and reset", async () => {
    const key = fresh("table");
    const rate = { perSecond: 0.01, burst: 5 };
    const table = [
      { cost: 0, allowed: true, remaining: 5, retryAfterMs: 0, resetMs: 0 },
      { cost: 1, allowed: true, remaining: 4, retryAfterMs: 0, resetMs: 100_000 },
      { cost: 3, allowed: true, remaining: 1, retryAfterMs: 0, resetMs: 400_000 },
      { cost: 2, allowed: false, remaining: 1, retryAfterMs: 100_000, resetMs: 400_000 },
      { cost: 5, allowed: false, remaining: 1, retryAfterMs: 400_000, resetMs: 400_000 },
      { cost: 1, allowed: true, remaining: 0, retryAfterMs: 0, resetMs: 500_000 },
      { cost: 0, allowed: true, remaining: 0, retryAfterMs: 0, resetMs: 500_000 },
      { cost: 1, allowed: false, remaining: 0, retryAfterMs: 100_000, resetMs: 500_000 },
    ];
    for (const { cost, allowed, remaining, retryAfterMs, resetMs } of table) {
      const verdict = await get().counters.take(key, rate, cost);
      expect(verdict).toMatchObject({ allowed, remaining });
      near(verdict.retryAfterMs, retryAfterMs);
      near(verdict.resetMs, resetMs);
    }
  });

  it("keeps buckets apart and refuses a cost that could never pass", async () => {
    const rate = { perSecond: 0.01, burst: 1 };
    const [a, b] = [fresh("a"), fresh("b")];
    expect((await get().counters.take(a, rate)).allowed).toBe(true);
    expect((await get().counters.take(b, rate)).allowed).toBe(true);
    expect((await get().counters.take(a, rate)).allowed).toBe(false);
    await expect(get().counters.take(a, rate, 2)).rejects.toMatchObject({ code: "invalid_request" });
    await expect(get().counters.take(a, { perSecond: 0, burst: 1 })).rejects.toThrow(RangeError);
    await expect(get().counters.take(a, rate, -1)).rejects.toThrow(RangeError);
  });

  it("asks nobody to wait longer than one full burst after the burst was lowered", async () => {
    const key = fresh("lowered");
    await get().counters.take(key, { perSecond: 0.01, burst: 1000 }, 1000);
    const verdict = await get().counters.take(key, { perSecond: 0.01, burst: 2 });
    expect(verdict.allowed).toBe(false);
    near(verdict.retryAfterMs, 100_000);
  });
}

function windows(get: () => CountersUnderTest): void {
  it("lets exactly the window's count pass under 200 parallel callers", async () => {
    for (const count of [1, 20, 73, 199]) {
      const key = fresh("window");
      const callers = Array.from({ length: 200 }, (_, i) =>
        (i % 2 ? get().counters : get().other).takeWindow(key, { count, windowMs: HOUR_MS }),
      );
      const allowed = (await Promise.all(callers)).filter((verdict) => verdict.allowed);
      expect(allowed).toHaveLength(count);
      expect(allowed.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual(
        Array.from({ length: count }, (_, i) => i),
      );
    }
  });

  it("keeps keys and lengths apart, counts more against a lowered count, and refuses windows that mean nothing", async () => {
    const [key, other] = [fresh("w"), fresh("w")];
    const window = { count: 3, windowMs: HOUR_MS };
    for (const remaining of [2, 1, 0]) {
      expect(await get().counters.takeWindow(key, window)).toMatchObject({ allowed: true, remaining });
    }
    expect(await get().other.takeWindow(key, window)).toMatchObject({ allowed: false, remaining: 0 });
    const lowered = await get().other.takeWindow(key, { ...window, count: 1 });
    expect(lowered).toMatchObject({ allowed: false, remaining: 0, retryAfterMs: lowered.resetMs });
    expect((await get().counters.takeWindow(other, window)).allowed).toBe(true);
    expect((await get().counters.takeWindow(key, { count: 3, windowMs: 2 * HOUR_MS })).allowed).toBe(true);
    expect((await get().counters.take(key, { perSecond: 1, burst: 1 })).allowed).toBe(true);
    for (const wrong of [
      { count: 0, windowMs: 1 },
      { count: 1, windowMs: 0 },
      { count: 1.5, windowMs: 1 },
    ]) {
      await expect(get().counters.takeWindow(key, wrong)).rejects.toThrow(RangeError);
    }
  });
}

/** A reservation of one id in the windows, and what settles it. */
function one(user: string, id: string, windows: ReserveCaps["windows"]): ReserveCaps {
  const holdMs = HOUR_MS;
  return { user, windows, candidates: [{ id, windows: windows.map((_, i) => i) }], wanted: 1, holdMs };
}
const day = (key: string, count: number) => ({ key, count, windowMs: 24 * HOUR_MS });

function caps(get: () => CountersUnderTest): void {
  it.each([1, 2, 3, 10, 100, 999, 1000])("reserves exactly %i for concurrent callers", async (count) => {
    const user = fresh("user");
    const callers = Array.from({ length: 2 * count + 50 }, (_, i) =>
      (i % 2 ? get().counters : get().other).reserve(one(user, `offer-${i}`, [day("campaign:7", count)])),
    );
    const verdicts = (await Promise.all(callers)).flatMap((answer) => answer.verdicts);
    expect(verdicts.filter((verdict) => verdict === "reserved")).toHaveLength(count);
    expect(verdicts.filter((verdict) => typeof verdict === "object")).toHaveLength(count + 50);
  });

  it("takes the first candidates with room, in rank order, and names the window that blocks", async () => {
    const windows = [day("campaign:1", 1), day("campaign:2", 5), day("advertiser:9", 2), day("none", 0)];
    const answer = await get().counters.reserve({
      user: fresh("user"),
      windows,
      candidates: [
        { id: "a", windows: [0, 2] },
        { id: "b", windows: [0, 2] },
        { id: "c", windows: [1, 3] },
        { id: "d", windows: [] },
        { id: "e", windows: [1, 2] },
        { id: "f", windows: [1] },
      ],
      wanted: 3,
      holdMs: HOUR_MS,
    });
    expect(answer.verdicts).toEqual([
      "reserved",
      { blockedBy: 0 },
      { blockedBy: 3 },
      "reserved",
      "reserved",
      "not_needed",
    ]);
  });

  it("is all or nothing over the windows of a candidate", async () => {
    const user = fresh("user");
    const windows = [day("campaign", 3), day("advertiser", 1)];
    await get().counters.reserve(one(user, "first", windows));
    for (let i = 0; i < 5; i++) {
      const { verdicts } = await get().counters.reserve(one(user, `blocked-${i}`, windows));
      expect(verdicts).toEqual([{ blockedBy: 1 }]);
    }
    // The blocked ones took nothing of the window that had room: two of three places are left.
    for (const [id, verdict] of [
      ["x", "reserved"],
      ["y", "reserved"],
      ["z", { blockedBy: 0 }],
    ] as const) {
      expect((await get().counters.reserve(one(user, id, [day("campaign", 3)]))).verdicts).toEqual([verdict]);
    }
  });

  it("changes nothing when the same id is reserved, settled or released again", async () => {
    const user = fresh("user");
    const windows = [day("campaign", 2)];
    const { reservedAtMs } = await get().counters.reserve(one(user, "a", windows));
    for (let i = 0; i < 3; i++) {
      expect((await get().counters.reserve(one(user, "a", windows))).verdicts).toEqual(["reserved"]);
    }
    const confirm: ConfirmCaps = { user, id: "a", reservedAtMs, windows };
    for (const each of [get().counters, get().other]) await each.confirm(confirm);
    expect((await get().counters.reserve(one(user, "b", windows))).verdicts).toEqual(["reserved"]);
    expect((await get().counters.reserve(one(user, "c", windows))).verdicts).toEqual([{ blockedBy: 0 }]);
    for (let i = 0; i < 3; i++) await get().counters.release({ user, id: "b", windows });
    expect((await get().counters.reserve(one(user, "c", windows))).verdicts).toEqual(["reserved"]);
    expect((await get().counters.reserve(one(user, "d", windows))).verdicts).toEqual([{ blockedBy: 0 }]);
  });

  it("keeps users, keys and window lengths apart, whatever characters they hold", async () => {
    const stem = fresh("user");
    const users = [stem, `${stem}}`, `${stem}}:1`, `{${stem}`, `${stem}:${24 * HOUR_MS}`, "}", "{}", "ü\n\u0000☃"];
    for (const user of users) {
      for (const window of [day("k", 1), day("k:k", 1), { key: "k", count: 1, windowMs: HOUR_MS }]) {
        const key = `${stem}${window.key}`;
        const { verdicts } = await get().counters.reserve(one(user, "a", [{ ...window, key }]));
        expect(verdicts).toEqual(["reserved"]);
        const again = await get().counters.reserve(one(user, "b", [{ ...window, key }]));
        expect(again.verdicts).toEqual([{ blockedBy: 0 }]);
      }
    }
    await expect(get().counters.reserve(one("", "a", [day("k", 1)]))).rejects.toThrow(RangeError);
    const unknown: ReserveCaps = { ...one(stem, "a", []), candidates: [{ id: "a", windows: [0] }] };
    await expect(get().counters.reserve(unknown)).rejects.toThrow(RangeError);
  });

  it("keeps several limits on one window: each candidate by its own, all by one count", async () => {
    const user = fresh("user");
    const windows = [day("advertiser", 1), day("advertiser", 3)];
    const reserve = async (...candidates: [id: string, indexes: number[]][]) =>
      (
        await get().counters.reserve({
          user,
          windows,
          wanted: 9,
          holdMs: HOUR_MS,
          candidates: candidates.map(([id, indexes]) => ({ id, windows: indexes })),
        })
      ).verdicts;
    expect(await reserve(["a", [1]], ["b", [0]], ["c", [1]])).toEqual(["reserved", { blockedBy: 0 }, "reserved"]);
    expect(await reserve(["d", [0, 1]], ["e", [1]], ["f", [1]])).toEqual([
      { blockedBy: 0 },
      "reserved",
      { blockedBy: 1 },
    ]);
  });

  it("counts settled events that the engine does not know, but not those whose window has passed", async () => {
    const user = fresh("user");
    const windows = [day("campaign", 2)];
    const { reservedAtMs } = await get().counters.reserve(one(user, "probe", windows));
    await get().counters.release({ user, id: "probe", windows });
    const restored: ConfirmCaps = { user, id: "old", reservedAtMs: reservedAtMs - 23 * HOUR_MS, windows };
    await get().counters.confirm(restored);
    await get().counters.confirm(restored);
    await get().counters.confirm({ ...restored, id: "too-old", reservedAtMs: reservedAtMs - 24 * HOUR_MS });
    const answers = [];
    for (const id of ["a", "b"]) answers.push((await get().counters.reserve(one(user, id, windows))).verdicts[0]);
    expect(answers).toEqual(["reserved", { blockedBy: 0 }]);
  });
}

function looks(get: () => CountersUnderTest): void {
  it("tells by a look what a reservation would get, and holds nothing", async () => {
    const user = fresh("user");
    const windows = [day("campaign:1", 1), day("campaign:2", 5), day("advertiser:9", 2)];
    const candidates = [
      { id: "a", windows: [0, 2] },
      { id: "b", windows: [0, 2] },
      { id: "c", windows: [1, 2] },
      { id: "d", windows: [1, 2] },
      { id: "e", windows: [] },
    ];
    const expected = ["reserved", { blockedBy: 0 }, "reserved", { blockedBy: 2 }, "reserved"];
    for (let i = 0; i < 3; i++) {
      expect(await get().other.look({ user, windows, candidates, wanted: 8 })).toEqual(expected);
    }
    const { verdicts } = await get().counters.reserve({ user, windows, candidates, wanted: 8, holdMs: HOUR_MS });
    expect(verdicts).toEqual(expected);
    const others = candidates.map(({ id, windows: asked }) => ({ id: `later-${id}`, windows: asked }));
    const later = await get().other.look({ user, windows, candidates: others, wanted: 8 });
    expect(later).toEqual([{ blockedBy: 0 }, { blockedBy: 0 }, { blockedBy: 2 }, { blockedBy: 2 }, "reserved"]);
    await expect(get().counters.look({ user: "", windows, candidates, wanted: 8 })).rejects.toThrow(RangeError);
  });
}

function wholeness(get: () => CountersUnderTest): void {
  const lost = { code: "unavailable", details: { reason: "counts_lost" } };

  it("reserves and looks only when asked to count everything after one rebuild has put everything back", async () => {
    const { counters, other } = get();
    const [user, windows] = [fresh("user"), [day("campaign", 1)]];
    const whole = { ...one(user, "a", windows), whole: true };
    expect(await counters.countedThrough()).toBeUndefined();
    await counters.recordCounted(7);
    expect(await counters.countedThrough()).toBeUndefined();
    await expect(counters.reserve(whole)).rejects.toMatchObject(lost);
    await expect(counters.look(whole)).rejects.toMatchObject(lost);
    expect((await counters.reserve({ ...whole, whole: false })).verdicts).toEqual(["reserved"]);
    const failed = counters.rebuild(() => Promise.reject(new Error("Postgres of this test is away")));
    await expect(failed).rejects.toThrow("of this test");
    let secondCalled = false;
    const first = counters.rebuild(async () => {
      const second = await other.rebuild(async () => {
        secondCalled = true;
        return 1;
      });
      expect([second, secondCalled]).toEqual([false, false]);
      await expect(other.reserve(whole)).rejects.toMatchObject(lost);
      return 1000;
    });
    expect(await first).toBe(true);
    for (const each of [counters, other]) {
      expect(await each.countedThrough()).toBe(1000);
      expect((await each.reserve({ ...whole, candidates: [{ id: "b", windows: [0] }] })).verdicts).toEqual([
        { blockedBy: 0 },
      ]);
      expect(await each.look({ ...whole, candidates: [{ id: "a", windows: [0] }] })).toEqual(["reserved"]);
    }
  });

  it("remembers the latest time that everything was counted up to, and rebuilds nothing that is whole", async () => {
    const { counters, other } = get();
    expect(await other.rebuild(() => Promise.reject(new Error("nothing is lacking")))).toBe(true);
    await counters.recordCounted(5000);
    await other.recordCounted(3000);
    expect([await counters.countedThrough(), await other.countedThrough()]).toEqual([5000, 5000]);
  });
}

function rateTime(get: () => CountersUnderTest): void {
  it("passes after exactly the time that retryAfterMs names, for any cost", async () => {
    for (const cost of [1, 3]) {
      const key = fresh("retry");
      const rate = { perSecond: 0.5, burst: 3 };
      await get().counters.take(key, rate, 3);
      const refused = await get().counters.take(key, rate, cost);
      expect(refused.allowed).toBe(false);
      expect(refused.retryAfterMs).toBeGreaterThan(0);
      await get().pass(refused.retryAfterMs);
      expect((await get().counters.take(key, rate, cost)).allowed).toBe(true);
    }
  });

  it("refills at the rate and never above the burst", async () => {
    const key = fresh("refill");
    const rate = { perSecond: 1, burst: 4 };
    await get().counters.take(key, rate, 4);
    expect((await get().counters.take(key, rate, 0)).remaining).toBeLessThan(4);
    await get().pass(5000);
    const full = await get().counters.take(key, rate, 0);
    expect(full).toMatchObject({ remaining: 4, resetMs: 0 });
  });
}

function windowTime(get: () => CountersUnderTest): void {
  it("passes after exactly the time that retryAfterMs names, and holds what is refused against nobody", async () => {
    const key = fresh("slide");
    const take = () => get().counters.takeWindow(key, { count: 2, windowMs: 5000 });
    for (let round = 0; round < 2; round++) {
      let verdict = await take();
      while (verdict.allowed) verdict = await take();
      expect(verdict.remaining).toBe(0);
      expect(verdict.retryAfterMs).toBeGreaterThan(0);
      expect(verdict.retryAfterMs).toBeLessThanOrEqual(verdict.resetMs);
      expect(verdict.resetMs).toBeLessThanOrEqual(5000);
      await get().pass(verdict.retryAfterMs);
      expect(await take()).toMatchObject({ allowed: true, retryAfterMs: 0, resetMs: 5000 });
    }
  });

  it("begins again at 0 when the life after the last addition is over, which reading does not lengthen", async () => {
    const { counters, pass } = get();
    const key = fresh("tally");
    const lifeMs = 8000;
    await counters.count([add(key, 1, lifeMs)]);
    await pass(lifeMs / 2);
    expect(await counters.count([add(key, 1, lifeMs)])).toEqual([2]);
    await pass(lifeMs / 2);
    expect(await counters.count([add(key, 0, HOUR_MS)])).toEqual([2]);
    await pass(lifeMs / 2);
    expect(await counters.count([add(key, 0)])).toEqual([0]);
  });
}

function capTime(get: () => CountersUnderTest): void {
  /** Long enough that a busy machine makes the next call in time. */
  const HOLD_MS = 3000;
  const WINDOW_MS = 9000;

  it("puts an unsettled reservation back for what is left of its hold", async () => {
    const user = fresh("user");
    const windows = [day("campaign", 1)];
    const { reservedAtMs } = await get().counters.reserve(one(user, "probe", windows));
    await get().counters.release({ user, id: "probe", windows });
    await get().counters.confirm({
      user,
      id: "held",
      reservedAtMs: reservedAtMs - HOUR_MS,
      windows,
      holdMs: HOUR_MS + HOLD_MS,
    });
    await get().counters.confirm({ user, id: "over", reservedAtMs: reservedAtMs - HOUR_MS, windows, holdMs: HOUR_MS });
    expect((await get().counters.reserve(one(user, "b", windows))).verdicts).toEqual([{ blockedBy: 0 }]);
    await get().pass(HOLD_MS);
    expect((await get().counters.reserve(one(user, "b", windows))).verdicts).toEqual(["reserved"]);
  });

  it("frees the place of an unsettled reservation when its hold is over", async () => {
    const user = fresh("user");
    const windows = [day("campaign", 1)];
    await get().counters.reserve({ ...one(user, "a", windows), holdMs: HOLD_MS });
    expect((await get().counters.reserve(one(user, "b", windows))).verdicts).toEqual([{ blockedBy: 0 }]);
    await get().pass(HOLD_MS);
    expect((await get().counters.reserve(one(user, "b", windows))).verdicts).toEqual(["reserved"]);
  });

  it("does not make a hold longer when the id is reserved again", async () => {
    const user = fresh("user");
    const windows = [day("campaign", 1)];
    await get().counters.reserve({ ...one(user, "a", windows), holdMs: HOLD_MS });
    await get().counters.reserve({ ...one(user, "a", windows), holdMs: HOUR_MS });
    await get().pass(HOLD_MS);
    expect((await get().counters.reserve(one(user, "b", windows))).verdicts).toEqual(["reserved"]);
  });

  it("counts a settled event for its whole window, from the moment it was reserved", async () => {
    const user = fresh("user");
    const windows = [{ key: "campaign", count: 1, windowMs: WINDOW_MS }];
    const { reservedAtMs } = await get().counters.reserve({ ...one(user, "a", windows), holdMs: HOLD_MS });
    await get().counters.confirm({ user, id: "a", reservedAtMs, windows });
    await get().pass(HOLD_MS);
    expect((await get().counters.reserve(one(user, "b", windows))).verdicts).toEqual([{ blockedBy: 0 }]);
    await get().pass(WINDOW_MS - HOLD_MS);
    expect((await get().counters.reserve(one(user, "b", windows))).verdicts).toEqual(["reserved"]);
  });

  it("slides: each event leaves by itself when its own window is over", async () => {
    const user = fresh("user");
    const windows = [{ key: "campaign", count: 2, windowMs: WINDOW_MS }];
    await get().counters.reserve(one(user, "a", windows));
    await get().pass(WINDOW_MS / 3);
    await get().counters.reserve(one(user, "b", windows));
    expect((await get().counters.reserve(one(user, "c", windows))).verdicts).toEqual([{ blockedBy: 0 }]);
    await get().pass((WINDOW_MS / 3) * 2);
    expect((await get().counters.reserve(one(user, "c", windows))).verdicts).toEqual(["reserved"]);
    expect((await get().counters.reserve(one(user, "d", windows))).verdicts).toEqual([{ blockedBy: 0 }]);
  });
}

function topics(get: () => CountersUnderTest): void {
  it("delivers to every listener of a topic on every connection, and to nobody else", async () => {
    const [topic, elsewhere] = [fresh("topic"), fresh("topic")];
    const heard: string[] = [];
    const stops = await Promise.all([
      get().counters.subscribe(topic, (message) => heard.push(`one ${message}`)),
      get().counters.subscribe(topic, (message) => heard.push(`two ${message}`)),
      get().other.subscribe(topic, (message) => heard.push(`other ${message}`)),
      get().other.subscribe(elsewhere, (message) => heard.push(`elsewhere ${message}`)),
    ]);
    await get().counters.publish(topic, 'ü "1"');
    await expect.poll(() => heard.sort()).toEqual(['one ü "1"', 'other ü "1"', 'two ü "1"']);
    for (const stop of stops) await stop();
  });

  it("stops one listener without the others, and delivers again after a new subscription", async () => {
    const topic = fresh("topic");
    const heard: string[] = [];
    const stop = await get().counters.subscribe(topic, (message) => heard.push(`one ${message}`));
    const stopTwo = await get().counters.subscribe(topic, (message) => heard.push(`two ${message}`));
    await stop();
    await stop();
    await get().other.publish(topic, "1");
    await expect.poll(() => heard).toEqual(["two 1"]);
    await stopTwo();
    const stopThree = await get().counters.subscribe(topic, (message) => heard.push(`three ${message}`));
    await get().other.publish(topic, "2");
    await expect.poll(() => heard).toEqual(["two 1", "three 2"]);
    await stopThree();
  });

  it("keeps a message from no listener because another one throws", async () => {
    const topic = fresh("topic");
    const heard: string[] = [];
    const stops = [
      await get().counters.subscribe(topic, () => {
        throw new Error("a listener of this test");
      }),
      await get().counters.subscribe(topic, (message) => heard.push(message)),
    ];
    await get().counters.publish(topic, "1");
    await expect.poll(() => heard).toEqual(["1"]);
    for (const stop of stops) await stop();
  });

  it("answers a ping", async () => {
    await get().counters.ping();
    await get().other.ping();
  });
}
