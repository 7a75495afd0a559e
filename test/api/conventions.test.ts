import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Rate, RateVerdict, RateWindow } from "../../server/engines/counters/counters";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { seedAccount } from "../../server/identity/seed-account";
import { ManualClock } from "../../server/kernel/clock";
import { ServiceError } from "../../server/kernel/errors";
import { makeCampaign } from "../factories/ads";
import { eventually, makeTenant, testApp } from "../factories/app";
import { FAR_AWAY, manage, platformKey, raiseRate, refusalOf, type Sent } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

/** Counters that can be away, and that tell what they are asked; `together` answers nothing before so many have asked. */
class WatchedCounters extends MemoryCounters {
  isUnavailable = false;
  asked = 0;
  together = 0;

  override async take(key: string, rate: Rate, cost?: number): Promise<RateVerdict> {
    await this.#answer();
    return super.take(key, rate, cost);
  }

  override async takeWindow(key: string, window: RateWindow): Promise<RateVerdict> {
    await this.#answer();
    return super.takeWindow(key, window);
  }

  async #answer(): Promise<void> {
    this.asked++;
    if (this.isUnavailable)
      throw new ServiceError("unavailable", "Redis of this test is away.", { retryAfterSeconds: 1 });
    await eventually(() => this.asked >= this.together);
  }
}

const ME = "/v1/tenants/me";
const CHANNELS = "/v1/ads/channels";
const MINUTE_MS = 60_000;
const clock = new ManualClock(new Date());
const counters = new WatchedCounters(clock);
const test = await openForFile(testApp({ clock, counters }));
const [ctx, stranger] = [await makeTenant(test), await makeTenant(test)];
await raiseRate(test, stranger.tenantId);

const times = <T>(count: number, one: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => one(i)));
const passed = (answers: Response[]): number => answers.filter(({ status }) => status !== 429).length;
const rateHeaders = ({ headers }: Response) =>
  ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy", "ratelimit", "retry-after"].map(
    (name) => headers.get(name),
  );

describe("a key's rate", () => {
  it("lets 400 of 450 requests at once pass, ten more each second, and 1,000 in a minute", async () => {
    const key = await platformKey(ctx);
    const get = () => manage(test, ME, { key });
    expect(rateHeaders(await get())).toEqual(["600", "399", "1", '"default";q=600;w=60', '"default";r=399;t=1', null]);
    const answers = await times(450, get);
    expect(passed(answers)).toBe(399);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused && rateHeaders(refused)).toEqual([
      "600",
      "0",
      "1",
      '"default";q=600;w=60',
      '"default";r=0;t=1',
      "1",
    ]);
    expect(refused && (await refusalOf(refused)).error).toMatchObject({ code: "rate_limited", retry_after: 1 });
    let inAMinute = 400;
    for (let second = 1; second <= 60; second++) {
      clock.advance(1000);
      const more = passed(await times(12, get));
      expect(more).toBe(10);
      inAMinute += more;
    }
    expect(inAMinute).toBe(1000);
  });

  it("is its own, and everybody's who has none is their address's; this machine is exempt", async () => {
    const [mine, other] = [await platformKey(ctx), await platformKey(ctx)];
    await times(400, () => manage(test, ME, { key: mine }));
    expect((await manage(test, ME, { key: mine })).status).toBe(429);
    expect((await manage(test, ME, { key: other })).status).toBe(200);
    const guess = (sent: Sent) => manage(test, ME, { key: `svc_live_${"a".repeat(48)}`, ...sent });
    const guesses = await times(401, () => guess({ address: FAR_AWAY }));
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(400).fill(401), 429]);
    expect((await guess({ address: "203.0.113.8" })).status).toBe(401);
    expect((await manage(test, ME, { key: other, address: FAR_AWAY })).status).toBe(200);
    const exempt = (await times(401, () => guess({}))).at(-1);
    expect(exempt?.status).toBe(401);
    expect(exempt && rateHeaders(exempt).slice(0, 2)).toEqual(["600", "400"]);
  });

  it("follows what an operator set for the tenant, the burst in proportion", async () => {
    const raised = await makeTenant(test);
    const key = await platformKey(raised);
    await raiseRate(test, raised.tenantId, 900);
    const answers = await times(610, () => manage(test, ME, { key }));
    expect(passed(answers)).toBe(600);
    expect(answers[0] && rateHeaders(answers[0]).slice(0, 4)).toEqual(["900", "599", "1", '"default";q=900;w=60']);
    await setQuota(test.app.account, { tenant_id: raised.tenantId, resource: "requests_per_minute", limit: null });
    await expect.poll(async () => (await manage(test, ME, { key })).headers.get("ratelimit-limit")).toBe("600");
  });

  it("of a person is one, however many tokens they have", async () => {
    const login = { email: "ada@example.com", password: "correct horse battery" };
    await seedAccount(test.app.account, { ...login, tenantName: "Ada's", isDemo: false });
    const token = async () => {
      const answer = await manage(test, "/v1/auth/login", { body: login });
      return ((await answer.json()) as { access_token: string }).access_token;
    };
    const tokens = [await token(), await token()];
    const answers = await times(410, (i) => manage(test, ME, { key: tokens[i % 2] ?? "" }));
    expect(passed(answers)).toBe(400);
  });
});

describe("bulk endpoints", () => {
  it("take 20 in any 60 s of a key beside its rate, exactly, however many come at once", async () => {
    const key = await platformKey(ctx);
    const upload = () =>
      manage(test, "/v1/ads/campaigns/cmp_none/products", {
        key,
        raw: "{}",
        headers: { "content-type": "application/x-ndjson" },
      });
    const answers = await times(200, upload);
    expect(passed(answers)).toBe(20);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused && rateHeaders(refused)).toEqual([
      "20",
      "0",
      "60",
      '"default";q=600;w=60, "bulk";q=20;w=60',
      expect.stringMatching(/^"default";r=\d+;t=\d+, "bulk";r=0;t=60$/),
      "60",
    ]);
    clock.advance(MINUTE_MS - 1);
    expect((await upload()).status).toBe(429);
    clock.advance(1);
    expect(passed(await times(30, upload))).toBe(20);
    expect((await manage(test, ME, { key })).status).toBe(200);
  });
});

describe("the limiter", () => {
  it("asks the counters once a request; on a bulk endpoint for both limits together", async () => {
    const key = await platformKey(ctx);
    counters.asked = 0;
    await manage(test, ME, { key });
    expect(counters.asked).toBe(1);
    counters.asked = 0;
    // Neither is answered before both were asked.
    counters.together = 2;
    await manage(test, "/v1/ads/campaigns/cmp_none/products", { key, raw: "" });
    counters.together = 0;
    expect(counters.asked).toBe(2);
  });

  it("that is away refuses nobody, and its headers are absent", async () => {
    const key = await platformKey(ctx);
    counters.isUnavailable = true;
    const answer = await manage(test, ME, { key });
    counters.isUnavailable = false;
    expect([answer.status, ...rateHeaders(answer)]).toEqual([200, null, null, null, null, null, null]);
    expect((await manage(test, ME, { key })).headers.get("ratelimit-limit")).toBe("600");
  });
});

it("a quota that is used up is a 429 without Retry-After, and with the rate headers", async () => {
  const full = await makeTenant(test);
  const key = await platformKey(full);
  await setQuota(test.app.account, { tenant_id: full.tenantId, resource: "channels", limit: 0 });
  const { status, headers, error } = await refusalOf(await manage(test, CHANNELS, { key, body: { name: "x" } }));
  expect([status, error.code, error.retry_after]).toEqual([429, "quota_exceeded", undefined]);
  expect([headers.get("retry-after"), headers.get("ratelimit-limit")]).toEqual([null, "600"]);
});

describe("Idempotency-Key", () => {
  let key: string;
  beforeAll(async () => {
    key = await platformKey(stranger);
  });
  const create = (idempotencyKey: string, body: object, sent: Sent = {}) =>
    manage(test, CHANNELS, { key, body, ...sent, headers: { "idempotency-key": idempotencyKey, ...sent.headers } });
  const replayed = ({ headers }: Response) => headers.get("idempotency-replayed");
  const channels = (name: string) => ctx.db.channel.count({ where: { name } });

  it("makes one resource and one answer of 1,000 equal requests at once", async () => {
    const id = randomUUID();
    const bodies = new Set<string>();
    for (let open = 1000; open > 0; ) {
      const answers = await times(open, () => create(id, { name: "one of a thousand" }));
      for (const answer of answers) {
        if (answer.status === 201) {
          bodies.add(await answer.text());
          open--;
        } else {
          const { status, headers, error } = await refusalOf(answer);
          expect([status, error.details]).toEqual([409, { reason: "idempotency_running" }]);
          expect(headers.get("retry-after")).toBe("1");
        }
      }
    }
    expect(bodies.size).toBe(1);
    expect(await channels("one of a thousand")).toBe(1);
  });

  it("repeats status and body with a header that says so, whatever the order of the fields and the quotes", async () => {
    const id = randomUUID();
    const first = await create(id, { name: "again", origins: [] });
    expect([first.status, replayed(first)]).toEqual([201, null]);
    const again = await create(`"${id.toUpperCase()}"`, { origins: [], name: "again" });
    expect([again.status, replayed(again), again.headers.get("content-type")]).toEqual([
      201,
      "true",
      "application/json",
    ]);
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get("ratelimit-limit")).not.toBeNull();
  });

  it("shows a new platform key again to anyone who lost the answer, and to nobody else", async () => {
    const maker = await platformKey(stranger, { scopes: ["keys:write", "keys:read"] });
    const other = await platformKey(stranger, { scopes: ["keys:write", "keys:read"] });
    const id = randomUUID();
    const make = (asKey: string) =>
      manage(test, "/v1/keys", {
        key: asKey,
        body: { name: "ci", scopes: ["keys:read"] },
        headers: { "idempotency-key": id },
      });
    const made = (await (await make(maker)).json()) as { id: string; key: string };
    expect(made.key).toMatch(/^svc_live_/);
    expect(await (await make(maker)).json()).toEqual(made);
    expect((await refusalOf(await make(other))).error.details).toEqual({ reason: "idempotency_key_reused" });
    const rows = await ctx.db.idempotentAnswer.findMany({ where: { tenantId: stranger.tenantId } });
    expect(JSON.stringify(rows)).not.toContain(made.key);
  });

  it("of another body or another place in the path is refused with 422, and changes nothing", async () => {
    const id = randomUUID();
    await create(id, { name: "first" });
    const { status, error } = await refusalOf(await create(id, { name: "second" }));
    expect([status, error.code, error.param]).toEqual([422, "unprocessable", "Idempotency-Key"]);
    expect(await channels("second")).toBe(0);
    const made = await times(
      2,
      async () => (await (await create(randomUUID(), { name: "c" })).json()) as { id: string },
    );
    const under = (channel: { id: string } | undefined) =>
      manage(test, `${CHANNELS}/${channel?.id}/keys`, {
        key,
        body: { kind: "server" },
        headers: { "idempotency-key": id },
      });
    expect((await under(made[0])).status).toBe(201);
    expect((await under(made[1])).status).toBe(422);
  });

  it("is each tenant's own", async () => {
    const id = randomUUID();
    const mine = await create(id, { name: "same" });
    const others = await create(id, { name: "same" }, { key: await platformKey(ctx) });
    expect([mine.status, others.status, replayed(others)]).toEqual([201, 201, null]);
  });

  it("keeps no answer that says something about the caller or the form: 400, 401, 403 and 429", async () => {
    const id = randomUUID();
    const slow = await makeTenant(test);
    await raiseRate(test, slow.tenantId, 1);
    const slowKey = await platformKey(slow);
    expect((await create(id, { name: "" })).status).toBe(400);
    expect((await create(id, { name: "late" }, { key: "svc_live_x" })).status).toBe(401);
    const reader = await platformKey(stranger, { scopes: ["ads:read"] });
    expect((await create(id, { name: "late" }, { key: reader })).status).toBe(403);
    await manage(test, ME, { key: slowKey });
    expect((await create(id, { name: "late" }, { key: slowKey })).status).toBe(429);
    clock.advance(MINUTE_MS);
    for (const asKey of [key, slowKey]) {
      const made = await create(id, { name: "late" }, { key: asKey });
      expect([made.status, replayed(made)]).toEqual([201, null]);
    }
  });

  it("repeats a refusal that is about what was asked, under the id of this request", async () => {
    const id = randomUUID();
    const ask = (requestId: string) =>
      manage(test, `${CHANNELS}/chn_none/keys`, {
        key,
        body: { kind: "server" },
        headers: { "idempotency-key": id, "x-request-id": requestId },
      });
    const [first, again] = [await ask("first"), await ask("again")];
    expect([first.status, replayed(first), again.status, replayed(again)]).toEqual([404, null, 404, "true"]);
    const [a, b] = [await refusalOf(first), await refusalOf(again)];
    expect(b.error).toEqual({ ...a.error, request_id: "again" });
  });

  it.each(["retry-1", "", "0198c0de-aaaa-7bbb-8ccc-ddddeeeeffff, x"])(
    "that is no UUID is refused by name: %j",
    async (id) => {
      const { status, error } = await refusalOf(await create(id, { name: "x" }));
      expect([status, error.code, error.param]).toEqual([400, "invalid_request", "Idempotency-Key"]);
    },
  );

  it("runs again after 24 h", async () => {
    const id = randomUUID();
    await create(id, { name: "yesterday" });
    clock.advance(24 * 60 * MINUTE_MS);
    const again = await create(id, { name: "today" });
    expect([again.status, replayed(again)]).toEqual([201, null]);
  });
});

describe("X-Request-ID", () => {
  it("is the client's own or a new one on tables, streams and refusals alike", async () => {
    const key = await platformKey(stranger);
    const campaign = await makeCampaign(stranger, { mode: "live" });
    const feed = { raw: '{"id":"1","title":"Boot","link":"https://shop.example/1"}\n' };
    const asked: [path: string, sent: Sent, status: number][] = [
      [`/v1/ads/reports?from=2026-01-01&to=2026-01-02&group_by=day&format=csv`, {}, 200],
      [
        `/v1/ads/campaigns/${campaign.id}/products`,
        { ...feed, headers: { "content-type": "application/x-ndjson" } },
        200,
      ],
      [CHANNELS, { raw: "{" }, 400],
      ["/v1/nothing", {}, 404],
    ];
    for (const [path, sent, status] of asked) {
      const own = await manage(test, path, {
        key,
        ...sent,
        headers: { ...sent.headers, "x-request-id": "Mine_1.a-b" },
      });
      expect([path, own.status, own.headers.get("x-request-id")]).toEqual([path, status, "Mine_1.a-b"]);
      const bad = await manage(test, path, { key, ...sent, headers: { ...sent.headers, "x-request-id": "a b" } });
      expect(bad.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/);
    }
  });
});

describe("cursors", () => {
  interface Page {
    data: { id: string; name: string }[];
    next_cursor: string | null;
  }
  let key: string;
  let cursor: string;
  beforeAll(async () => {
    const paged = await makeTenant(test);
    key = await platformKey(paged, { scopes: ["ads:read", "ads:write", "projects:read", "projects:write"] });
    for (let i = 0; i < 5; i++) await create(`c${i}`);
    cursor = (await page("limit=2")).next_cursor ?? "";
  });
  const create = async (name: string) => {
    clock.advance(1);
    expect((await manage(test, CHANNELS, { key, body: { name } })).status).toBe(201);
  };
  const list = (query: string, sent: Sent = {}, path = CHANNELS) => manage(test, `${path}?${query}`, { key, ...sent });
  const page = async (query: string) => (await (await list(query)).json()) as Page;
  const reasonOf = async (answer: Response) => {
    const { status, error } = await refusalOf(answer);
    return [status, error.param, error.details];
  };

  it("lead through all that was there, once each, while more is added; the last page has none", async () => {
    const names: string[] = [];
    let next: string | null = "";
    while (next !== null) {
      const { data, next_cursor } = await page(next ? `limit=2&cursor=${next}` : "limit=2");
      names.push(...data.map(({ name }) => name));
      if (next_cursor !== null) expect(next_cursor).toMatch(/^cur_/);
      next = next_cursor;
      await create("later");
    }
    expect(names.filter((name) => name !== "later")).toEqual(["c4", "c3", "c2", "c1", "c0"]);
    expect(names).not.toContain("later");
  });

  it("open for nobody else, no other list and no other text", async () => {
    const invalid = [400, "cursor", { reason: "cursor_invalid" }];
    const foreign = await platformKey(stranger);
    expect(await reasonOf(await list(`cursor=${cursor}`, { key: foreign }))).toEqual(invalid);
    expect(await reasonOf(await list(`cursor=${cursor}`, {}, "/v1/projects"))).toEqual(invalid);
    expect(await reasonOf(await list(`cursor=${cursor.slice(0, -2)}aa`))).toEqual(invalid);
    expect(await reasonOf(await list("cursor=1"))).toEqual(invalid);
  });

  it.each(["0", "1001", "-1", "1.5", "many"])("with limit=%s are refused, never clamped", async (limit) => {
    expect((await reasonOf(await list(`limit=${limit}`))).slice(0, 2)).toEqual([400, "limit"]);
  });

  it("end after 24 h", async () => {
    clock.advance(24 * 60 * MINUTE_MS - 1000);
    expect((await list(`cursor=${cursor}`)).status).toBe(200);
    clock.advance(MINUTE_MS);
    expect(await reasonOf(await list(`cursor=${cursor}`))).toEqual([400, "cursor", { reason: "cursor_expired" }]);
  });
});
