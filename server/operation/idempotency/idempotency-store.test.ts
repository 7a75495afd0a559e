import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { MemoryCounters } from "../../engines/counters/memory-counters";
import { sweepExpired } from "../../identity/expired/sweep-expired";
import { ManualClock } from "../../kernel/clock";
import { type ErrorCode, ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { IdempotencyStore, type IdempotentRequest, type Within } from "./idempotency-store";

const HOUR_MS = 3_600_000;
const clock = new ManualClock(new Date("2026-11-20T12:00:00Z"));
const counters = new MemoryCounters(clock);

const database = await openForFile(testDatabase());
const [tenantId, strangerId] = [await tenant(), await tenant()];

async function tenant(): Promise<string> {
  const id = newId("ten", clock.now().getTime());
  await database.db.tenant.create({ data: { id, name: "Tenant", createdAt: clock.now() } });
  return id;
}

/** The same in each process of an installation. */
const sealingKey = randomBytes(32);
const answers = () => new IdempotencyStore({ db: database.db, counters, clock, sealingKey });
const asking = (fields: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  tenantId,
  operation: "POST /v1/projects",
  key: randomUUID(),
  asked: "{}",
  ...fields,
});

/** Creates a project and returns its id. */
const create =
  (name: string) =>
  async ({ db }: Within) => {
    const id = newId("prj", clock.now().getTime());
    await db.$transaction((tx) => tx.project.create({ data: { id, tenantId, name, createdAt: clock.now() } }));
    return { status: 201, body: JSON.stringify({ id }) };
  };
const projects = (name: string) => database.db.project.count({ where: { name } });
/** Of this database, that wait for their client. */
const openTransactions = async () => {
  const [{ open } = { open: 0n }] = await database.db.$queryRaw<{ open: bigint }[]>`
    SELECT count(*) AS open FROM pg_stat_activity
    WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
  return Number(open);
};
const running = { code: "conflict", retryAfterSeconds: 1, details: { reason: "idempotency_running" } };

describe("a repeated request", () => {
  it("returns the first response, from any process, and creates nothing more", async () => {
    const request = asking();
    const first = await answers().once(request, create("once"));
    expect(first).toMatchObject({ status: 201, isReplay: false });
    expect(await answers().once(request, create("once"))).toEqual({ ...first, isReplay: true });
    expect(await projects("once")).toBe(1);
  });

  it("prepares before it opens a transaction, and not for a response that is kept", async () => {
    const request = asking();
    const opened = await openTransactions();
    let prepared = 0;
    const prepare = async () => {
      expect(await openTransactions()).toBe(opened);
      prepared++;
      return "from elsewhere";
    };
    const run = async (_: Within, found: string) => ({ status: 201, body: JSON.stringify(found) });
    for (const isReplay of [false, true]) {
      expect(await answers().once(request, run, prepare)).toMatchObject({ body: '"from elsewhere"', isReplay });
    }
    expect(prepared).toBe(1);
    await expect(answers().once(asking(), run, () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  });

  it("runs once for 200 equal concurrent requests in two processes; the others get a conflict or its response", async () => {
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

  it("fails with a conflict while another process runs it, and returns its response afterwards", async () => {
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

  it("is rejected when its input differs", async () => {
    const request = asking();
    await answers().once(request, create("other"));
    await expect(answers().once({ ...request, asked: '{"a":1}' }, create("other"))).rejects.toMatchObject({
      code: "unprocessable",
      details: { reason: "idempotency_key_reused" },
    });
    expect(await projects("other")).toBe(1);
  });

  it("runs again after 24 h, and the hourly sweep then deletes it", async () => {
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

describe("an error", () => {
  /** Writes first, to show whether the write is rolled back. */
  const refuse = (code: ErrorCode) => async (within: Within) => {
    await create(`refused ${code}`)(within);
    throw new ServiceError(code, "No.", { param: "name" });
  };

  it.each(["not_found", "conflict", "unprocessable"] as const)(
    "%s of the operation is replayed, and its writes are rolled back",
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
    "%s is not stored: the next attempt runs",
    async (code) => {
      const request = asking();
      await expect(answers().once(request, refuse(code))).rejects.toMatchObject({ code });
      expect(await projects(`refused ${code}`)).toBe(0);
      expect(await answers().once(request, create(`then ${code}`))).toMatchObject({ isReplay: false });
    },
  );

  it("of the database inside the operation's own transaction lets the operation continue", async () => {
    const answer = await answers().once(asking(), async ({ db }) => {
      const broken = db.$transaction((tx) => tx.$executeRaw`SELECT 1 / 0`);
      await expect(broken).rejects.toThrow("division by zero");
      return create("after all")({ db, counters });
    });
    expect(answer).toMatchObject({ status: 201 });
    expect(await projects("after all")).toBe(1);
  });
});

it("notifies other processes of a change only after its commit, and not of one that was rolled back", async () => {
  const received: Promise<number>[] = [];
  const stop = await counters.subscribe("changed", (name) => received.push(projects(name)));
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
  await answers().once(asking(), publish("committed"));
  await answers().once(asking(), publish("rolled back", true));
  await expect.poll(() => received.length).toBe(1);
  expect(await Promise.all(received)).toEqual([1]);
  await stop();
});

it("stores no secret in readable form, nor the Idempotency-Key that decrypts it", async () => {
  const request = asking();
  const secret = "svc_live_abcdefgh";
  await answers().once(request, async () => ({ status: 201, body: JSON.stringify({ key: secret }) }));
  const rows = JSON.stringify(await database.db.idempotentAnswer.findMany());
  for (const hidden of [secret, Buffer.from(secret).toString("base64url"), request.key]) {
    expect(rows).not.toContain(hidden);
  }
  const elsewhere = new IdempotencyStore({ db: database.db, counters, clock, sealingKey: randomBytes(32) });
  await expect(elsewhere.once(request, create("x"))).rejects.toMatchObject({ code: "unprocessable" });
});

it("does not deadlock when more requests wait than the pool has connections", async () => {
  const all = Array.from({ length: 40 }, (_, i) => answers().once(asking(), create(`busy ${i}`)));
  for (const answer of await Promise.all(all)) expect(answer).toMatchObject({ status: 201, isReplay: false });
});
