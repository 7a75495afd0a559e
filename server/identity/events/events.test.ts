import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { identityTest, type Person } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { throughPipeline } from "../../../test/factories/through-pipeline";
import { type Actor, type Mode, SCOPES } from "../../operation/actor";
import { eventKind, eventKindList } from "../../operation/event-kind";
import { sweepExpired } from "../expired/sweep-expired";
import type { ActorCtx } from "../identity-ctx";
import { createProject } from "../projects/create-project";
import { deleteProject } from "../projects/delete-project";
import { setQuota } from "../quotas/set-quota";
import { getEvent } from "./get-event";
import { listEvents } from "./list-events";
import { newEvent, recordEvent } from "./record-event";

const DAY_MS = 24 * 60 * 60 * 1000;
const kind = eventKind({
  type: "thing.made",
  description: "A thing was made.",
  data: z.object({ n: z.int() }),
  example: { n: 1 },
});

let owner: Person;
let stranger: Person;
let count = 0;
const t = await openForFile(identityTest());
beforeEach(async () => {
  owner = await t.person(`owner${++count}@example.com`);
  stranger = await t.person(`stranger${count}@example.com`);
});

interface Made {
  n?: number;
  of?: Person;
  projectId?: string;
  mode?: Mode;
  at?: Date;
  type?: string;
}

const made = ({ n = 0, of = owner, at = t.clock.now(), mode = "live", projectId, type = kind.type }: Made = {}) =>
  t.db.$transaction((tx) => {
    const origin = { tenantId: of.actor.tenantId, mode, projectId, at };
    return recordEvent(tx, origin, { kind: { ...kind, type }, data: { n } });
  });

const list = (ctx: ActorCtx, query: Record<string, unknown> = {}) =>
  listEvents.run(ctx, listEvents.input.parse({ mode: "live", ...query }));
const typesOf = async (ctx: ActorCtx, query: Record<string, unknown> = {}) =>
  (await list(ctx, query)).data.map(({ type }) => type);
const numbersOf = async (ctx: ActorCtx, query: Record<string, unknown> = {}) =>
  (await list(ctx, { type: kind.type, ...query })).data.map(({ data }) => data.n);

/** A key of a project of the owner. */
const keyOf = (projectId: string, mode: Mode): ActorCtx => {
  const { tenantId } = owner.actor;
  const actor: Actor = { kind: "key", keyId: "key_ci", projectId, mode, tenantId, scopes: new Set(SCOPES) };
  return { ...owner, actor };
};

describe("an event exists if and only if its change is committed:", () => {
  it("not after a rollback", async () => {
    const failing = t.db.$transaction(async (tx) => {
      const origin = { tenantId: owner.actor.tenantId, mode: "live" as const, at: t.clock.now() };
      await recordEvent(tx, origin, { kind, data: { n: 1 } });
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    expect(await typesOf(owner)).toEqual([]);
  });

  it("not when the change is refused", async () => {
    const { id } = await createProject.run(owner, { name: "p" });
    await expect(createProject.run(owner, { name: "p" })).rejects.toMatchObject({ code: "conflict" });
    await setQuota(t.ctx, { tenant_id: owner.actor.tenantId, resource: "projects", limit: 2 });
    const refused = throughPipeline(owner, createProject, { name: "q" });
    await expect(refused).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(await typesOf(owner)).toEqual(["quota.updated", "project.created"]);
    await deleteProject.run(owner, { id });
    await throughPipeline(owner, createProject, { name: "q" });
    expect(await typesOf(owner, { type: "project.*" })).toEqual([
      "project.created",
      "project.archived",
      "project.created",
    ]);
  });

  it("not when the audit entry cannot be written", async () => {
    const { tenantId } = owner.actor;
    await t.sql.query("UPDATE audit_heads SET sequence = sequence - 1 WHERE tenant_id = $1", [tenantId]);
    await expect(createProject.run(owner, { name: "p" })).rejects.toThrow();
    expect(await typesOf(owner)).toEqual([]);
  });
});

describe("the order", () => {
  it("is that of the commits, not that of the clocks that made the ids", async () => {
    const { tenantId } = owner.actor;
    const record = (n: number, at: Date) => ({
      run: (hold: Promise<void>, recorded: () => void) =>
        t.db.$transaction(async (tx) => {
          await recordEvent(tx, { tenantId, mode: "live", at }, { kind, data: { n } });
          recorded();
          await hold;
        }),
    });
    const now = t.clock.now().getTime();
    let release = () => {};
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    let first: Promise<void> | undefined;
    await new Promise<void>((recorded) => {
      first = record(1, new Date(now)).run(hold, recorded);
    });
    let isSecondRecorded = false;
    // A process whose clock is behind.
    const second = record(2, new Date(now - 5000)).run(Promise.resolve(), () => {
      isSecondRecorded = true;
    });
    await expect
      .poll(async () => {
        const waiting =
          "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
        return (await t.sql.query<{ count: number }>(waiting)).rows[0]?.count;
      })
      .toBe(1);
    expect(isSecondRecorded).toBe(false);
    expect(await numbersOf(owner)).toEqual([]);
    release();
    await Promise.all([first, second]);
    expect(await numbersOf(owner, { order: "asc" })).toEqual([1, 2]);
    expect(await numbersOf(owner)).toEqual([2, 1]);
  });

  it("lets a follower miss nothing while many processes record at once", async () => {
    const before = await made({ n: -1 });
    const now = t.clock.now().getTime();
    let isOver = false;
    const all = Array.from({ length: 60 }, (_, n) => n);
    const writing = Promise.all(
      [0, 1, 2, 3].map(async (writer) => {
        for (const n of all.filter((each) => each % 4 === writer)) {
          await made({ n, at: new Date(now - ((n * 7919) % 1000)) });
        }
      }),
    ).finally(() => {
      isOver = true;
    });
    const seen: unknown[] = [];
    for (let after = before, wasOver = false; !wasOver; ) {
      wasOver = isOver;
      const { data } = await list(owner, { order: "asc", after, limit: 1000 });
      seen.push(...data.map((event) => event.data.n));
      after = data.at(-1)?.id ?? after;
    }
    await writing;
    expect(seen).toHaveLength(60);
    expect([...seen].sort((a, b) => Number(a) - Number(b))).toEqual(all);
  });

  it("is continued by a cursor in both directions, whatever is recorded in the meantime", async () => {
    for (const n of [1, 2, 3, 4]) await made({ n });
    for (const [order, expected] of [
      ["desc", [4, 3, 2, 1]],
      ["asc", [1, 2, 3, 4]],
    ] as const) {
      const first = await list(owner, { order, limit: 2 });
      const late = await made({ n: 5 });
      const second = await list(owner, { order, limit: 2, cursor: first.next_cursor });
      await t.db.event.delete({ where: { id: late } });
      expect([...first.data, ...second.data].map(({ data }) => data.n)).toEqual(expected);
      const turned = list(owner, { order: order === "asc" ? "desc" : "asc", limit: 2, cursor: first.next_cursor });
      await expect(turned).rejects.toMatchObject({ code: "invalid_request", param: "cursor" });
    }
  });
});

describe("a follower", () => {
  it("gets what comes after its last event, and nothing when nothing came", async () => {
    const ids = [await made({ n: 1 }), await made({ n: 2 }), await made({ n: 3 })];
    expect(await numbersOf(owner, { order: "asc", after: ids[0] })).toEqual([2, 3]);
    expect(await numbersOf(owner, { order: "asc", after: ids[2] })).toEqual([]);
  });

  it("starts at the oldest event after an absence of more than 30 days", async () => {
    const gone = await made({ n: 1 });
    t.clock.advance(31 * DAY_MS);
    await sweepExpired(t.ctx);
    await made({ n: 2 });
    expect(await numbersOf(owner, { order: "asc", after: gone })).toEqual([2]);
  });

  it("is told of an id that is no event of its list", async () => {
    const foreign = await made({ of: stranger });
    for (const after of [foreign, "evt_zzzz", "nonsense"]) {
      const refused = list(owner, { order: "asc", after });
      await expect(refused).rejects.toMatchObject({ code: "invalid_request", param: "after" });
    }
    const backwards = list(owner, { after: await made() });
    await expect(backwards).rejects.toMatchObject({ code: "invalid_request", param: "after" });
  });
});

describe("who sees an event:", () => {
  it("people those of their tenant, in the mode they ask for, by default test", async () => {
    const [test, live] = [await made({ mode: "test" }), await made({ mode: "live" })];
    const idsIn = async (ctx: ActorCtx, query: object) =>
      (await listEvents.run(ctx, listEvents.input.parse(query))).data.map(({ id }) => id);
    expect(await idsIn(owner, {})).toEqual([test]);
    expect(await idsIn(owner, { mode: "live" })).toEqual([live]);
    expect(await idsIn(stranger, { mode: "live" })).toEqual([]);
    for (const id of [test, live]) {
      expect((await getEvent.run(owner, { id })).id).toBe(id);
      await expect(getEvent.run(stranger, { id })).rejects.toMatchObject({ code: "not_found" });
    }
  });

  it("a key those of its mode, in its project or in none", async () => {
    const [one, other] = [
      await createProject.run(owner, { name: "one" }),
      await createProject.run(owner, { name: "two" }),
    ];
    const own = await made({ n: 1, projectId: one.id });
    const whole = await made({ n: 2 });
    const hidden = [await made({ projectId: other.id }), await made({ mode: "test", projectId: one.id })];
    const key = keyOf(one.id, "live");
    expect(await numbersOf(key)).toEqual([2, 1]);
    expect(await numbersOf(key, { mode: "test" })).toEqual([2, 1]);
    expect(await numbersOf(key, { project: "two" })).toEqual([]);
    for (const id of [own, whole]) expect((await getEvent.run(key, { id })).id).toBe(id);
    for (const id of hidden) {
      await expect(getEvent.run(key, { id })).rejects.toMatchObject({ code: "not_found" });
      await expect(list(key, { order: "asc", after: id })).rejects.toMatchObject({ param: "after" });
    }
    for (const project of [one.id, "one"]) expect(await numbersOf(owner, { project })).toEqual([1]);
    await expect(list(owner, { project: "none" })).rejects.toMatchObject({ code: "not_found", param: "project" });
  });
});

describe("the filter by type", () => {
  it("takes a kind or a prefix", async () => {
    for (const type of ["training.run.completed", "training.run.failed", "trainings.made"]) await made({ type });
    expect(await typesOf(owner, { type: "training.run.failed" })).toEqual(["training.run.failed"]);
    for (const type of ["training.*", "training.run.*"]) expect(await typesOf(owner, { type })).toHaveLength(2);
  });

  it.each(["", "*", "campaign", "campaign.%", "campaign*", ".created"])("rejects %j", (type) => {
    expect(listEvents.input.safeParse({ type }).success).toBe(false);
  });
});

it("events are hidden after 30 days and deleted in batches", async () => {
  const { tenantId } = owner.actor;
  const createdAt = t.clock.now();
  const fields = { tenantId, mode: "live" as const, type: kind.type, data: { n: 1 }, createdAt };
  await t.db.event.createMany({
    data: Array.from({ length: 2500 }, (_, i) => ({ ...fields, id: `evt_${count}_${i}` })),
  });
  t.clock.advance(30 * DAY_MS);
  const kept = await made({ n: 2 });
  expect((await list(owner, { limit: 1000 })).data).toHaveLength(1000);
  t.clock.advance(1);
  expect(await numbersOf(owner)).toEqual([2]);
  await expect(getEvent.run(owner, { id: `evt_${count}_0` })).rejects.toMatchObject({ code: "not_found" });
  await sweepExpired(t.ctx);
  expect(await t.db.event.findMany({ where: { tenantId }, select: { id: true } })).toEqual([{ id: kept }]);
});

describe("a kind", () => {
  it("lets only declared fields into an event, and only text that Postgres stores", () => {
    const named = { type: "a.b", data: z.object({ name: z.string() }) };
    const told = newEvent(named, { name: "a\0b", key: "svc_live_secret" } as { name: string });
    expect(told.data).toEqual({ name: "a\u{fffd}b" });
  });

  it("has a type of its own", () => {
    expect(eventKindList([kind])).toEqual([kind]);
    expect(() => eventKindList([kind], [kind])).toThrow("thing.made");
  });
});
