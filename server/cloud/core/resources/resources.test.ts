import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type Effects, unavailableEffect } from "../../../../test/factories/effect-family";
import type { TestDatabase } from "../../../../test/factories/postgres";
import { EFFECT_SERVICE, ResourceScene } from "../../../../test/factories/resource-scene";
import { bundleProgram } from "../../../../test/factories/test-program";
import type { ManualClock } from "../../../kernel/clock";
import { LookSchedule } from "../reconciler/look-schedule";
import { reconcileResource } from "../reconciler/reconciler";
import { beginDueResources, beginLooks } from "../reconciler/start-resources";
import type { ResourceCtx } from "../records/resource-ctx";
import { activateService } from "./activate-service";
import { createResource } from "./create-resource";
import { deactivateService } from "./deactivate-service";
import { deleteResource } from "./delete-resource";
import { getResource } from "./get-resource";
import { updateResource } from "./update-resource";

let folder = "";
// Below the project, so that it finds its packages.
folder = await mkdtemp(path.join(import.meta.dirname, "../../../../.build/hung-step-"));
const scene = await ResourceScene.open();
afterAll(async () => {
  await scene.close();
  await rm(folder, { recursive: true });
});

const SERVICE = EFFECT_SERVICE;
const MINUTE_MS = 60_000;

let effects: Effects;
let clock: ManualClock;
let database: TestDatabase;
beforeEach(async () => {
  await scene.reset();
  ({ effects, clock, database } = scene);
});

const reconciling = () => scene.reconciling();
const newClient = () => scene.newClient();
const activeClient = () => scene.activeClient();
const create = (ctx: ResourceCtx, name: string, spec?: object) => scene.create(ctx, name, spec);
const updateOf = (ctx: ResourceCtx, rid: string, spec: Record<string, unknown>) => scene.update(ctx, rid, spec);
const eventsOf = (rid: string) => scene.eventsOf(rid);
const round = () => scene.round();
const rowOf = (rid: string) => database.db.resource.findUniqueOrThrow({ where: { id: rid } });

/** A process that has begun the step of a resource, which never ends. */
async function stepOfProcess(rid: string): Promise<ChildProcess> {
  const outfile = path.join(folder, "hung-step.mjs");
  await bundleProgram(path.join(import.meta.dirname, "../../../../test/factories/hung-step-process.ts"), outfile);
  const child = spawn(process.execPath, [outfile, database.url, rid], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

describe("a resource of an activated service", () => {
  it("has its effect when its creation returns, follows its spec, and leaves nothing when it is deleted", async () => {
    const ctx = await activeClient();
    const created = await create(ctx, "data", { size: 2 });
    expect(created).toMatchObject({
      state: "ready",
      provisioned: true,
      observed: { size: 2 },
      generation: 1,
      plan: null,
    });
    const changed = await updateResource.run(ctx, { rid: created.rid, spec: { size: 3 } });
    expect(changed).toMatchObject({
      state: "ready",
      observed: { size: 3 },
      generation: 2,
      spec: { size: 3, label: "" },
    });
    expect(effects.byRid.get(created.rid)).toMatchObject({ size: 3, times: 1 });
    expect(await deleteResource.run(ctx, { rid: created.rid })).toBeUndefined();
    expect(effects.byRid.size).toBe(0);
    await expect(getResource.run(ctx, { rid: created.rid })).rejects.toMatchObject({ code: "not_found" });
    expect(await eventsOf(created.rid)).toEqual(
      ["created", "ready", "updated", "deleted"].map((what) => `resource.${what}`),
    );
  });

  it("is not ready while its effect has not followed a change of its spec", async () => {
    const ctx = await activeClient();
    const { rid } = await create(ctx, "data", { size: 2 });
    let follow: () => void = () => undefined;
    const mayFollow = new Promise<void>((resolve) => {
      follow = resolve;
    });
    effects.before = () => mayFollow;
    const update = updateResource.run(ctx, { rid, spec: { size: 3 } });
    const shown = () => getResource.run(ctx, { rid });
    await expect.poll(shown).toMatchObject({ generation: 2, state: "provisioning", observed: { size: 2 } });
    follow();
    expect(await update).toMatchObject({ generation: 2, state: "ready", observed: { size: 3 } });
    expect(await eventsOf(rid)).toEqual(["created", "ready", "updated"].map((what) => `resource.${what}`));
  });

  it("is the same one for the same name and spec, and a conflict for another spec", async () => {
    const ctx = await activeClient();
    const [one, other] = await Promise.all([create(ctx, "data", { size: 2 }), create(ctx, "data", { size: 2 })]);
    expect(other.rid).toBe(one.rid);
    await expect(create(ctx, "data", { size: 3 })).rejects.toMatchObject({
      code: "conflict",
      details: { reason: "name_taken", rid: one.rid, differs: ["spec.size"] },
    });
    expect(effects.byRid.size).toBe(1);
  });

  it("names the field of the spec that is wrong", async () => {
    const ctx = await activeClient();
    await expect(create(ctx, "data", { size: "2" })).rejects.toMatchObject({ param: "spec.size" });
    await expect(create(ctx, "data", { sise: 2 })).rejects.toMatchObject({ param: "spec.sise" });
    const asked = { service: "observe" as const, name: "data", kind: "constructor" };
    await expect(createResource.run(ctx, createResource.input.parse(asked))).rejects.toMatchObject({ param: "kind" });
  });

  it("has one effect although its process died between the effect and the commit", async () => {
    const ctx = await activeClient();
    let isDead = false;
    // As after kill -9: the effect exists, and nothing that follows happens.
    effects.after = () => (isDead ? undefined : new Promise(() => (isDead = true)));
    const created = await createResource.run(ctx, createResource.input.parse({ service: "observe", name: "data" }));
    // Its timer ends after the test.
    reconcileResource(reconciling(), created.rid).catch(() => undefined);
    await expect.poll(() => isDead).toBe(true);
    expect(effects.byRid.get(created.rid)).toMatchObject({ times: 1 });
    // Another process takes it when the lease is over.
    await database.sql.query("UPDATE resources SET lease_until = now() - interval '1 second' WHERE id = $1", [
      created.rid,
    ]);
    clock.advance(MINUTE_MS + 1);
    await round();
    expect(await getResource.run(ctx, { rid: created.rid })).toMatchObject({ state: "ready" });
    expect(effects.byRid.get(created.rid)).toMatchObject({ times: 1 });
  });

  it("that cannot be provisioned says why, and is tried again after pauses that grow", async () => {
    const ctx = await activeClient();
    let tries = 0;
    effects.before = () => {
      if (tries++ < 3) throw unavailableEffect();
    };
    const created = await create(ctx, "data");
    expect(created).toMatchObject({ state: "failed", provisioned: false, reason: { code: "no_effect" } });
    await round();
    expect(tries).toBe(1);
    for (const pause of [1000, 2000, 4000]) {
      clock.advance(pause);
      await round();
    }
    expect(tries).toBe(4);
    expect(await getResource.run(ctx, { rid: created.rid })).toMatchObject({ state: "ready", reason: null });
    expect(await eventsOf(created.rid)).toEqual(["resource.created", "resource.failed", "resource.ready"]);
  });

  it("that is faulty from the start has failed, and is provisioned once more when its spec is sent again", async () => {
    const ctx = await activeClient();
    let provisions = 0;
    effects.before = () => void provisions++;
    effects.after = (rid) => void (provisions === 1 && effects.faulty.add(rid));
    const { rid, ...created } = await create(ctx, "data");
    expect(created).toMatchObject({ state: "failed", provisioned: false, reason: { code: "faulty" }, try_it: [] });
    clock.advance(MINUTE_MS);
    await round();
    expect(provisions).toBe(1);
    effects.faulty.clear();
    expect(await updateResource.run(ctx, { rid, spec: {} })).toMatchObject({ state: "ready", reason: null });
    expect(provisions).toBe(2);
  });

  it("whose effect is lost is provisioned again", async () => {
    const ctx = await activeClient();
    const created = await create(ctx, "data");
    effects.byRid.delete(created.rid);
    clock.advance(MINUTE_MS);
    await round();
    expect(effects.byRid.get(created.rid)).toMatchObject({ times: 1 });
  });

  it("is deleted also while it is provisioned", async () => {
    const ctx = await activeClient();
    let go = () => undefined as undefined;
    let began = false;
    effects.before = (what) => {
      if (what !== "provision") return;
      began = true;
      return new Promise((resolve) => {
        go = () => resolve() as undefined;
      });
    };
    const created = await createResource.run(ctx, createResource.input.parse({ service: "observe", name: "data" }));
    const provisioning = reconcileResource(reconciling(), created.rid);
    await expect.poll(() => began).toBe(true);
    const deletion = deleteResource.run(ctx, { rid: created.rid });
    await expect.poll(async () => (await getResource.run(ctx, { rid: created.rid })).state).toBe("deleting");
    go();
    await provisioning;
    expect(await deletion).toBeUndefined();
    expect(effects.byRid.size).toBe(0);
  });
});

describe("A's resource whose effect does not respond", () => {
  it("does not delay those of B, nor other steps of A, nor the stop", async () => {
    const [ofA, ofB] = [await activeClient(), await activeClient()];
    const [hung, other, ofOther] = [await create(ofA, "hung"), await create(ofA, "other"), await create(ofB, "data")];
    clock.advance(MINUTE_MS);
    // As a look that waits for a program that never ends, and ignores that it is aborted.
    effects.look = (rid) => (rid === hung.rid ? new Promise(() => undefined) : undefined);
    await updateOf(ofB, ofOther.rid, { size: 5 });
    const stopping = new AbortController();
    const own = { ...reconciling(), stopping: stopping.signal };
    await beginDueResources(own);
    await beginLooks(own, new LookSchedule());
    const observedAt = async (rid: string) =>
      (await database.db.resource.findUniqueOrThrow({ where: { id: rid } })).observedAt?.getTime();
    await expect.poll(() => observedAt(ofOther.rid)).toBe(clock.now().getTime());
    // Steps of A begin beside it.
    await updateOf(ofA, other.rid, { size: 4 });
    expect(effects.byRid.get(other.rid)?.size).toBe(4);
    stopping.abort();
    await own.lanes.idle();
    expect(await getResource.run(ofA, { rid: hung.rid })).toMatchObject({ state: "ready" });
  });

  it("keeps its lease until a late step has ended, so that no second one begins beside it", async () => {
    const ctx = await activeClient();
    let provisions = 0;
    let go = () => undefined as undefined;
    let isAborted = false;
    effects.before = (what, _rid, signal) => {
      if (what !== "provision" || provisions++ > 0) return;
      signal.addEventListener("abort", () => (isAborted = true));
      return new Promise((resolve) => {
        go = () => resolve() as undefined;
      });
    };
    const created = await createResource.run(ctx, createResource.input.parse({ service: "observe", name: "data" }));
    await reconcileResource({ ...reconciling(), stepMsMax: 50 }, created.rid);
    expect(isAborted).toBe(true);
    const state = async () => (await getResource.run(ctx, { rid: created.rid })).state;
    expect(await getResource.run(ctx, { rid: created.rid })).toMatchObject({
      state: "failed",
      reason: { code: "step_slow" },
    });
    for (const ms of [1001, MINUTE_MS, 5 * MINUTE_MS]) {
      clock.advance(ms);
      await round();
    }
    expect([provisions, await state()]).toEqual([1, "failed"]);
    go();
    await expect
      .poll(async () => {
        await round();
        return state();
      })
      .toBe("ready");
    expect(effects.byRid.get(created.rid)).toMatchObject({ times: 1 });
  });

  it("whose process is killed during its step keeps its lease until that ends, and then has its effect once", async () => {
    const ctx = await activeClient();
    const created = await createResource.run(ctx, createResource.input.parse({ service: "observe", name: "data" }));
    const child = await stepOfProcess(created.rid);
    const leased = await rowOf(created.rid);
    expect(leased.leaseUntil?.getTime()).toBeGreaterThan(Date.now());
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    clock.advance(MINUTE_MS);
    await round();
    expect([effects.byRid.size, (await rowOf(created.rid)).leaseFence]).toEqual([0, leased.leaseFence]);
    // As a minute later by the clock of the database.
    const expire = "UPDATE resources SET lease_until = lease_until - interval '1 minute' WHERE id = $1";
    await database.sql.query(expire, [created.rid]);
    clock.advance(MINUTE_MS);
    await round();
    expect(await rowOf(created.rid)).toMatchObject({
      state: "ready",
      leaseOwner: null,
      leaseFence: leased.leaseFence + 1,
    });
    expect(effects.byRid.get(created.rid)).toMatchObject({ times: 1 });
  });

  it("is observed again after a process died during a step of it", async () => {
    const ctx = await activeClient();
    const created = await create(ctx, "data");
    await database.sql.query(
      "UPDATE resources SET lease_owner = 'gone', lease_until = now() - interval '1 second' WHERE id = $1",
      [created.rid],
    );
    const effect = effects.byRid.get(created.rid);
    if (effect) effect.size = 9;
    clock.advance(MINUTE_MS);
    await round();
    expect(await getResource.run(ctx, { rid: created.rid })).toMatchObject({ state: "ready", observed: { size: 9 } });
  });
});

it("keeps nothing of a secret in its spec when it is deleted", async () => {
  const ctx = await activeClient();
  const { rid, spec } = await create(ctx, "data", { label: "the password" });
  expect(spec).toMatchObject({ label: "[redacted]" });
  await deleteResource.run(ctx, { rid });
  const row = await database.db.resource.findUniqueOrThrow({ where: { id: rid } });
  expect(row.spec).toEqual({ size: 1, label: "[redacted]" });
});

it("a name cannot be used again while its resource is being deleted", async () => {
  const ctx = await activeClient();
  const created = await create(ctx, "data");
  effects.before = (what) => {
    if (what === "remove") throw unavailableEffect();
  };
  expect(await deleteResource.run(ctx, { rid: created.rid })).toMatchObject({ state: "deleting" });
  await expect(create(ctx, "data")).rejects.toMatchObject({
    code: "conflict",
    param: "name",
    details: { reason: "deleting", rid: created.rid },
  });
  effects.before = () => undefined;
  clock.advance(MINUTE_MS);
  await round();
  expect((await create(ctx, "data")).rid).not.toBe(created.rid);
});

describe("a service that is not activated", () => {
  it("has placeholders, the same for the same request, which tell what would be done", async () => {
    const ctx = await newClient();
    const created = await create(ctx, "data", { size: 2 });
    expect(created).toMatchObject({
      state: "placeholder",
      provisioned: false,
      reason: { code: "not_activated" },
      created_at: null,
      plan: [{ step: "make", what: "data of 2", proof: "It is in memory" }],
    });
    clock.advance(MINUTE_MS);
    expect(JSON.stringify(await create(ctx, "data", { size: 2 }))).toBe(JSON.stringify(created));
    expect(effects.byRid.size).toBe(0);
    await activateService.run(ctx, { ...SERVICE, plan_tier: "starter" });
    expect(await create(ctx, "data", { size: 2 })).toMatchObject({ state: "ready" });
    await expect(getResource.run(ctx, { rid: created.rid })).rejects.toMatchObject({ code: "not_found" });
  });

  it("after it was, suspends its resources until it is activated again", async () => {
    const ctx = await activeClient();
    const { rid } = await create(ctx, "data");
    await deactivateService.run(ctx, SERVICE);
    await round();
    expect(await getResource.run(ctx, { rid })).toMatchObject({
      state: "suspended",
      reason: { code: "not_activated" },
    });
    expect(effects.byRid.size).toBe(0);
    await activateService.run(ctx, { ...SERVICE, plan_tier: "starter" });
    await round();
    expect(await getResource.run(ctx, { rid })).toMatchObject({ state: "ready", reason: null });
    expect(effects.byRid.size).toBe(1);
  });
});

it("a service that is activated while its resource is being suspended has it again", async () => {
  const ctx = await activeClient();
  const { rid } = await create(ctx, "data");
  effects.before = async (what) => {
    if (what === "suspend") await activateService.run(ctx, { ...SERVICE, plan_tier: "starter" });
  };
  await deactivateService.run(ctx, SERVICE);
  await round();
  await round();
  expect(await getResource.run(ctx, { rid })).toMatchObject({ state: "ready" });
  expect(effects.byRid.has(rid)).toBe(true);
});

describe("many resources", () => {
  it("that tenants create at once are all provisioned once, within the tier of each", async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, newClient));
    for (const ctx of clients) await activateService.run(ctx, { ...SERVICE, plan_tier: "starter" });
    const created = await Promise.allSettled(
      clients.flatMap((ctx) => Array.from({ length: 14 }, (_, i) => create(ctx, `data-${i % 12}`))),
    );
    const rejected = created.flatMap((one) => (one.status === "rejected" ? [one.reason as { code: string }] : []));
    expect(new Set(rejected.map(({ code }) => code))).toEqual(new Set(["quota_exceeded"]));
    for (const { actor } of clients) {
      const where = { tenantId: actor.tenantId, state: "ready" };
      expect(await database.db.resource.count({ where })).toBe(10);
    }
    expect(effects.byRid.size).toBe(50);
    expect([...effects.byRid.values()].every(({ times }) => times === 1)).toBe(true);
  });

  it("are looked at together, by one process each", async () => {
    const ctx = await activeClient();
    await Promise.all(Array.from({ length: 20 }, (_, i) => create(ctx, `data-${i}`)));
    clock.advance(MINUTE_MS);
    effects.looks = 0;
    await Promise.all([round(), round(), round()]);
    // Each process has looked at most once.
    expect(effects.looks).toBeLessThanOrEqual(3);
    const { rows } = await database.sql.query("SELECT count(*)::int AS n FROM resources WHERE next_at <= $1", [
      clock.now(),
    ]);
    expect(rows[0]).toEqual({ n: 0 });
  });
});
