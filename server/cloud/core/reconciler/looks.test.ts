import { beforeEach, describe, expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { ResourceScene } from "../../../../test/factories/resource-scene";
import type { Resource } from "../records/resource";

const scene = await openForFile(ResourceScene.open());
beforeEach(() => scene.reset());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Which version of the row is stored: it differs after each write, also one of the same values. */
async function versionOf(rid: string) {
  const { rows } = await scene.database.sql.query<{ version: string }>(
    "SELECT xmin || ' ' || ctid::text AS version FROM resources WHERE id = $1",
    [rid],
  );
  return rows[0]?.version;
}
const rowOf = (rid: string) => scene.database.db.resource.findUniqueOrThrow({ where: { id: rid } });
const later = async (ms: number) => {
  scene.clock.advance(ms);
  scene.effects.looks = 0;
  await scene.round();
  return scene.effects.looks;
};
const wake = (rid: string) => scene.database.db.resourceWake.create({ data: { resourceId: rid } });
const kindOf = async (kind: string): Promise<Resource> =>
  scene.createOfKind(await scene.activeClient(), kind, { name: "data" });

describe("a look at a resource at rest", () => {
  it("writes nothing when its effect is as it was", async () => {
    const { rid } = await kindOf("effect");
    const [version, events] = [await versionOf(rid), await scene.eventsOf(rid)];
    expect(version).toBeDefined();
    for (let i = 0; i < 3; i++) expect(await later(MINUTE_MS)).toBe(1);
    expect([await versionOf(rid), await scene.eventsOf(rid)]).toEqual([version, events]);
    expect((await rowOf(rid)).nextAt).toBeNull();
  });

  it("writes nothing either while it stays faulty for the same reason", async () => {
    const { rid } = await kindOf("effect");
    scene.effects.faulty.add(rid);
    await later(MINUTE_MS);
    expect(await rowOf(rid)).toMatchObject({ state: "degraded", nextAt: null });
    const version = await versionOf(rid);
    expect(await later(MINUTE_MS)).toBe(1);
    expect(await versionOf(rid)).toBe(version);
    scene.effects.faulty.delete(rid);
    await later(MINUTE_MS);
    expect(await rowOf(rid)).toMatchObject({ state: "ready", reason: null });
  });

  it("records what is seen when that differs, without a step", async () => {
    const { rid } = await kindOf("effect");
    const effect = scene.effects.byRid.get(rid);
    if (effect) effect.size = 7;
    expect(await later(MINUTE_MS)).toBe(1);
    expect(await rowOf(rid)).toMatchObject({ observed: { size: 7 }, observedAt: scene.clock.now(), leaseFence: 1 });
  });

  it("comes once in each period of its kind, by one process", async () => {
    await kindOf("rare");
    await later(0);
    expect(await later(59 * MINUTE_MS)).toBe(0);
    scene.clock.advance(MINUTE_MS);
    scene.effects.looks = 0;
    await Promise.all([scene.round(), scene.round(), scene.round()]);
    expect(scene.effects.looks).toBe(1);
  });

  it("never comes to a result that is ready, until its spec changes", async () => {
    const ctx = await scene.activeClient();
    const { rid } = await scene.createOfKind(ctx, "result", { name: "data" });
    scene.effects.byRid.clear();
    const version = await versionOf(rid);
    for (const ms of [MINUTE_MS, HOUR_MS, 100 * HOUR_MS]) expect(await later(ms)).toBe(0);
    await wake(rid);
    expect(await later(1)).toBe(0);
    expect(await rowOf(rid)).toMatchObject({ state: "ready", nextAt: null });
    expect(await versionOf(rid)).not.toBe(version);
    expect(await scene.update(ctx, rid, { size: 2 })).toMatchObject({ state: "ready", observed: { size: 2 } });
  });

  it("comes at once when something that its effect depends on has changed, in the transaction of that", async () => {
    const { rid } = await kindOf("rare");
    const { db } = scene.database;
    await later(0);
    await db
      .$transaction(async (tx) => {
        await tx.resourceWake.create({ data: { resourceId: rid } });
        throw new Error("It did not change.");
      })
      .catch(() => undefined);
    expect(await later(1)).toBe(0);
    await wake(rid);
    expect(await later(1)).toBe(1);
    expect([await db.resourceWake.count(), (await rowOf(rid)).nextAt]).toEqual([0, null]);
  });

  it("that takes too long ends, and each resource is looked at by itself", async () => {
    const ctx = await scene.activeClient();
    const [hung, other] = [await scene.create(ctx, "hung"), await scene.create(ctx, "other")];
    scene.effects.look = (rid) => (rid === hung.rid ? new Promise(() => undefined) : undefined);
    const effect = scene.effects.byRid.get(other.rid);
    if (effect) effect.size = 8;
    scene.clock.advance(MINUTE_MS);
    const late = { ...scene.reconciling(), lookMsMax: 20, stepMsMax: 20 };
    await scene.round(late);
    expect(await rowOf(other.rid)).toMatchObject({ observed: { size: 8 } });
    expect(await rowOf(hung.rid)).toMatchObject({ state: "failed", reason: { code: "step_slow" } });
    // The one that has not ended keeps its lease, and the look beside it is not repeated.
    scene.effects.looks = 0;
    scene.clock.advance(MINUTE_MS);
    await scene.round(late);
    expect(scene.effects.looks).toBe(1);
  });

  it("at a kind that does not respond delays no other kind", async () => {
    const ctx = await scene.activeClient();
    const [hung, rare] = [await scene.create(ctx, "hung"), await scene.createOfKind(ctx, "rare", { name: "rare" })];
    scene.effects.look = (rid) => (rid === hung.rid ? new Promise(() => undefined) : undefined);
    const effect = scene.effects.byRid.get(rare.rid);
    if (effect) effect.size = 9;
    scene.clock.advance(HOUR_MS);
    const stopping = new AbortController();
    const own = { ...scene.reconciling(), stopping: stopping.signal };
    const round = scene.round(own);
    await expect.poll(async () => (await rowOf(rare.rid)).observed).toEqual({ size: 9 });
    stopping.abort();
    await round;
  });
});

it("1,000 resources at rest take a few statements a minute", async () => {
  const ctx = await scene.activeClient();
  const { rid } = await scene.create(ctx, "first");
  const { sql } = scene.database;
  await sql.query(
    `INSERT INTO resources SELECT (jsonb_populate_record(r, jsonb_build_object('id', 'res_' || lpad(i::text, 26, 'a'), 'name', 'data-' || i))).*
     FROM resources r, generate_series(1, 999) i WHERE r.id = $1`,
    [rid],
  );
  const rows = await scene.database.db.resource.findMany();
  for (const { id, name } of rows) scene.effects.byRid.set(id, { name, size: 1, times: 1 });
  // A look takes longer than the read of the next page.
  scene.effects.look = () => new Promise(setImmediate);
  const statements: string[] = [];
  const own = scene.reconciling();
  const counted = {
    ...own,
    sql: new Proxy(own.sql, {
      get: (pool, name) =>
        name === "query"
          ? (statement: { text: string } | string, ...more: unknown[]) => {
              statements.push(typeof statement === "string" ? statement : statement.text);
              return (pool.query as (...all: unknown[]) => unknown)(statement, ...more);
            }
          : Reflect.get(pool, name),
    }),
  };
  await scene.round(counted);
  statements.length = 0;
  scene.clock.advance(MINUTE_MS);
  scene.effects.looks = 0;
  await scene.round(counted);
  expect([rows.length, scene.effects.looks]).toEqual([1000, 2]);
  expect(statements.length).toBeLessThan(10);
  expect(statements.filter((text) => /UPDATE resources r SET observed/.test(text))).toEqual([]);
});
