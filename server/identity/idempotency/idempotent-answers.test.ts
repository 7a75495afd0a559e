import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/factories/postgres";
import { MemoryCounters } from "../../engines/counters/memory-counters";
import { ManualClock } from "../../kernel/clock";
import { type ErrorCode, ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { sweepExpired } from "../sweep-expired";
import { IdempotentAnswers, type IdempotentRequest, type Within } from "./idempotent-answers";

const HOUR_MS = 3_600_000;
let database: TestDatabase;
let tenantId: string;
let strangerId: string;
const clock = new ManualClock(new Date("2026-11-20T12:00:00Z"));
const counters = new MemoryCounters(clock);

beforeAll(async () => {
  database = await testDatabase();
  [tenantId, strangerId] = [await tenant(), await tenant()];
});
afterAll(() => database.close());

async function tenant(): Promise<string> {
  const id = newId("ten", clock.now().getTime());
  await database.db.tenant.create({ data: { id, name: "Tenant", createdAt: clock.now() } });
  return id;
}

/** As each process of an installation has them. */
const sealingKey = randomBytes(32);
const answers = () => new IdempotentAnswers({ db: database.db, counters, clock, sealingKey });
const asking = (fields: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  ...{ tenantId, operation: "POST /v1/projects", key: randomUUID(), asked: "{}" },
  ...fields,
});

/** Creates a project and answers its id. */
const create =
  (name: string) =>
  async ({ db }: Within) => {
    const id = newId("prj", clock.now().getTime());
    await db.$transaction((tx) => tx.project.create({ data: { id, tenantId, name, createdAt: clock.now() } }));
    return { status: 201, body: JSON.stringify({ id }) };
  };
const projects = (name: string) => database.db.project.count({ where: { name } });
const running = { code: "conflict", retryAfterSeconds: 1, details: { reason: "idempotency_running" } };

describe("a repeated request", () => {
  it("is answered as before, from any process, and creates nothing more", async () => {
    const request = asking();
    const first = await answers().once(request, create("once"));
    expect(first).toMatchObject({ status: 201, isReplay: false });
    expect(await answers().once(request, create("once"))).toEqual({ ...first, isReplay: true });
    expect(await projects("once")).toBe(1);
  });

  it("is created once by 200 equal requests in two processes at once; the rest hear that it runs, or its answer", async () => {
    const processes = [answers(), answers()];
    const request = asking();
    const bodies = new Set<string>();
    let open = 200;
    while (open > 0) {
      const tries = Array.from({ length: open }, (_, i) => processes[i % 2]?.once(request, create("many")));
      for (const tried of await Promise.allSettled(tries)) {
        if (tried.status === "rejected") expect(tried.reason).toMatchObject(running);
        else if (tried.value && "body" in tried.value) bodies.add(tried.value.body);
        if (tried.status === "fulfilled") open--;
      }
    }
    expect(bodies.size).toBe(1);
    expect(await projects("many")).toBe(1);
  });

  it("hears that it runs while another process is at it, and its answer afterwards", async () => {
    const request = asking();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let first: Promise<unknown> | undefined;
    await new Promise<void>((started) => {
      first = answers().once(request, async (within) => {
        started();
        await released;
        return create("held")(within);
      });
    });
    await expect(answers().once(request, create("held"))).rejects.toMatchObject(running);
    release();
    await first;
    expect(await answers().once(request, create("held"))).toMatchObject({ isReplay: true });
  });

  it("is refused when it asks for something else", async () => {
    const request = asking();
    await answers().once(request, create("other"));
    await expect(answers().once({ ...request, asked: '{"a":1}' }, create("other"))).rejects.toMatchObject({
      code: "unprocessable",
      details: { reason: "idempotency_key_reused" },
    });
    expect(await projects("other")).toBe(1);
  });

  it("runs anew after 24 h, and the hourly sweep then forgets it", async () => {
    const request = asking();
    await answers().once(request, create("daily"));
    clock.advance(24 * HOUR_MS - 1);
    expect(await answers().once(request, create("daily"))).toMatchObject({ isReplay: true });
    clock.advance(1);
    expect(await answers().once(request, create("daily"))).toMatchObject({ isReplay: false });
    expect(await projects("daily")).toBe(2);
    clock.advance(25 * HOUR_MS);
    await sweepExpired({ db: database.db, clock });
    expect(await database.db.idempotentAnswer.count()).toBe(0);
  });

  it("of another tenant or another endpoint is another request", async () => {
    const request = asking();
    await answers().once(request, create("mine"));
    const others = [
      { ...request, tenantId: strangerId },
      { ...request, operation: "POST /v1/keys" },
    ];
    for (const other of others) expect(await answers().once(other, create("mine"))).toMatchObject({ isReplay: false });
  });
});

describe("a refusal", () => {
  /** Writes first, so that it shows whether the write is undone. */
  const refuse = (code: ErrorCode) => async (within: Within) => {
    await create(`refused ${code}`)(within);
    throw new ServiceError(code, "No.", { param: "name" });
  };

  it.each(["not_found", "conflict", "unprocessable"] as const)(
    "%s of the verb is repeated, and what the verb wrote is undone",
    async (code) => {
      const request = asking();
      for (const isReplay of [false, true]) {
        const answer = await answers().once(request, isReplay ? create(`refused ${code}`) : refuse(code));
        expect(answer).toMatchObject({ refusal: { code, message: "No.", param: "name" }, isReplay });
      }
      expect(await projects(`refused ${code}`)).toBe(0);
    },
  );

  it.each(["invalid_request", "unauthorized", "forbidden", "rate_limited", "quota_exceeded", "unavailable"] as const)(
    "%s is not kept: the next try runs",
    async (code) => {
      const request = asking();
      await expect(answers().once(request, refuse(code))).rejects.toMatchObject({ code });
      expect(await projects(`refused ${code}`)).toBe(0);
      expect(await answers().once(request, create(`then ${code}`))).toMatchObject({ isReplay: false });
    },
  );

  it("of the database inside the verb's own transaction leaves the verb able to go on", async () => {
    const answer = await answers().once(asking(), async ({ db }) => {
      const broken = db.$transaction((tx) => tx.$executeRaw`SELECT 1 / 0`);
      await expect(broken).rejects.toThrow("division by zero");
      return create("after all")({ db, counters });
    });
    expect(answer).toMatchObject({ status: 201 });
    expect(await projects("after all")).toBe(1);
  });
});

it("tells the other processes of a change only when it is committed, and of none that was undone", async () => {
  const heard: Promise<number>[] = [];
  const stop = await counters.subscribe("changed", (name) => heard.push(projects(name)));
  const publish =
    (name: string, fails = false) =>
    async (within: Within) => {
      const answer = await create(name)(within);
      await within.counters.publish("changed", name);
      // Long enough for the message to arrive, if it had been sent.
      await database.sql.query("SELECT pg_sleep(0.05)");
      if (fails) throw new ServiceError("conflict", "No.");
      return answer;
    };
  await answers().once(asking(), publish("told"));
  await answers().once(asking(), publish("untold", true));
  await expect.poll(() => heard.length).toBe(1);
  expect(await Promise.all(heard)).toEqual([1]);
  await stop();
});

it("keeps no secret that the database alone could give away, nor the Idempotency-Key that opens it", async () => {
  const request = asking();
  const secret = "svc_live_abcdefgh";
  await answers().once(request, async () => ({ status: 201, body: JSON.stringify({ key: secret }) }));
  const rows = JSON.stringify(await database.db.idempotentAnswer.findMany());
  for (const hidden of [secret, Buffer.from(secret).toString("base64url"), request.key]) {
    expect(rows).not.toContain(hidden);
  }
  const elsewhere = new IdempotentAnswers({ db: database.db, counters, clock, sealingKey: randomBytes(32) });
  await expect(elsewhere.once(request, create("x"))).rejects.toMatchObject({ code: "unprocessable" });
});

it("holds no connection while more requests wait than the pool has connections", async () => {
  const all = Array.from({ length: 40 }, (_, i) => answers().once(asking(), create(`busy ${i}`)));
  for (const answer of await Promise.all(all)) expect(answer).toMatchObject({ status: 201, isReplay: false });
});
