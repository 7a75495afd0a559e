import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { Effects } from "../../../../test/factories/effect-family";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { migrateJobs } from "../../../engines/jobs/migrate-jobs";
import { ManualClock } from "../../../kernel/clock";
import { newId } from "../../../kernel/ids";
import { PLANES, type Plane, SCOPES, type Scope } from "../../../operation/actor";
import { authorize } from "../../../operation/authorize";
import { Families } from "../kinds/families";
import { ResourceLanes } from "../reconciler/resource-lanes";
import { beginDueResources } from "../reconciler/start-resources";
import { waitUntilStable } from "../reconciler/wait-until-stable";
import type { Resource } from "../records/resource";
import type { ResourceCtx } from "../records/resource-ctx";
import { activateService } from "./activate-service";
import { createResource } from "./create-resource";
import { deactivateService } from "./deactivate-service";
import { deleteResource } from "./delete-resource";
import { getResource } from "./get-resource";
import { listActivations } from "./list-activations";
import { listResourceKinds } from "./list-resource-kinds";
import { listResources } from "./list-resources";
import { listServices } from "./list-services";
import { updateResource } from "./update-resource";

/** A service of every plane has this name. */
const SERVICE = "logs";

let effects: Effects;
let clock: ManualClock;
let families: Families;
const database = await openForFile(testDatabase());
await migrateJobs(database.sql);
beforeEach(async () => {
  await database.db.resource.deleteMany();
  effects = new Effects();
  const observe = effects.family({ plane: "gpuc", service: "observe" });
  families = new Families([...PLANES.map((plane) => effects.family({ plane, service: SERVICE })), observe]);
  clock = new ManualClock(new Date("2026-11-20T09:00:00Z"));
});

const reconciling = () => {
  const { db, sql } = database;
  return { db, sql, clock, log: pino({ level: "silent" }), families, lanes: new ResourceLanes() };
};

/** A key of a new tenant with all scopes, and the same key with others. */
async function newKey() {
  const { db } = database;
  const [tenantId, projectId] = [newId("ten", clock.now().getTime()), newId("prj", clock.now().getTime())];
  await db.tenant.create({ data: { id: tenantId, name: "Acme", createdAt: clock.now() } });
  await db.project.create({ data: { id: projectId, tenantId, name: "main", createdAt: clock.now() } });
  const request = { requestId: "req_1", address: "127.0.0.1", userAgent: "test" };
  const shared = { ...database, clock, request, cursorKey: randomBytes(32), encryptionKey: randomBytes(32), families };
  return (scopes: readonly Scope[] = SCOPES): ResourceCtx => {
    const actor = { kind: "key", tenantId, projectId, keyId: "key_1", mode: "test", scopes: new Set(scopes) } as const;
    const ctx = reconciling();
    const waiting = { waitUntilStable: (rid: string) => waitUntilStable(ctx, rid) };
    return { ...shared, actor, ...waiting } as unknown as ResourceCtx;
  };
}

async function create(ctx: ResourceCtx, plane: Plane, name = "one"): Promise<Resource> {
  const input = createResource.input.parse({ plane, service: SERVICE, name, spec: {} });
  const made = await createResource.run(ctx, input);
  return (await createResource.afterCommit?.(ctx, made)) ?? made;
}

async function round(): Promise<void> {
  const ctx = reconciling();
  await beginDueResources(ctx);
  await ctx.lanes.idle();
}

const activate = (ctx: ResourceCtx, plane: Plane, service = SERVICE) => activateService.run(ctx, { plane, service });
const shownTo = async (ctx: ResourceCtx) =>
  (await listResources.run(ctx, listResources.input.parse({}))).data.map(({ plane }) => plane).sort();

describe("services of the same name in several planes", () => {
  it("have names, activations, tiers and lists of their own", async () => {
    const ctx = (await newKey())();
    expect(await activate(ctx, "edge")).toMatchObject({ plane: "edge", plan_tier: "free", resources_max: 10 });
    expect(await create(ctx, "edge")).toMatchObject({ plane: "edge", state: "ready" });
    expect(await create(ctx, "gpuc")).toMatchObject({
      state: "placeholder",
      reason: { remedy: 'Activate it: POST /v1/activations {"service": "logs"}, or gpuc_activate.' },
    });
    const own = await listResources.run(ctx, listResources.input.parse({ plane: "edge", service: SERVICE }));
    expect(own.data.map(({ plane }) => plane)).toEqual(["edge"]);
    await deactivateService.run(ctx, { plane: "edge", service: SERVICE });
    await expect(deactivateService.run(ctx, { plane: "gpuc", service: SERVICE })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("is not found by an id with the plane of another one", async () => {
    const ctx = (await newKey())();
    const { rid } = await create(ctx, "shield");
    const missing = expect.objectContaining({ code: "not_found" });
    await expect(getResource.run(ctx, { rid, plane: "obs", service: SERVICE })).rejects.toEqual(missing);
    await expect(deleteResource.run(ctx, { rid, plane: "edge", service: SERVICE })).rejects.toEqual(missing);
    // Without a plane it is gpuc, which the first version of the API had alone.
    await expect(deleteResource.run(ctx, { rid, service: SERVICE })).rejects.toEqual(missing);
    expect(await getResource.run(ctx, { rid, plane: "shield", service: SERVICE })).toMatchObject({ rid });
  });

  it.each([
    [{ plane: "edge" as const, service: SERVICE, plan_tier: "starter" as const }, "plan_tier"],
    [{ plane: "gpuc" as const, service: SERVICE, plan_tier: "pro" as const }, "plan_tier"],
    [{ plane: "obs" as const, service: SERVICE }, "service"],
    [{ plane: "shield" as const, service: SERVICE }, "service"],
    [{ plane: "edge" as const, service: "observe" }, "service"],
  ])("refuses the activation %j, and names the field", async (input, param) => {
    const ctx = (await newKey())();
    await expect(activateService.run(ctx, input)).rejects.toMatchObject({ code: "invalid_request", param });
  });
});

describe("what a plane needs to be activated", () => {
  it("is the service itself for gpuc and edge, observe of gpuc for obs, and nothing for shield", async () => {
    const ctx = (await newKey())();
    const states = async (name: string) =>
      Object.fromEntries(
        await Promise.all(PLANES.map(async (plane) => [plane, (await create(ctx, plane, name)).state] as const)),
      );
    expect(await states("one")).toEqual({
      gpuc: "placeholder",
      edge: "placeholder",
      obs: "placeholder",
      shield: "ready",
    });
    await activate(ctx, "gpuc", "observe");
    expect(await states("two")).toEqual({ gpuc: "placeholder", edge: "placeholder", obs: "ready", shield: "ready" });
    expect((await listServices.run(ctx, {})).data.map(({ plane, activation }) => [plane, activation])).toEqual([
      ["gpuc", { plane: "gpuc", service: SERVICE }],
      ["edge", { plane: "edge", service: SERVICE }],
      ["obs", { plane: "gpuc", service: "observe" }],
      ["shield", null],
      ["gpuc", { plane: "gpuc", service: "observe" }],
    ]);
  });

  it("suspends the resources of obs when observe is deactivated, and provisions them again", async () => {
    const ctx = (await newKey())();
    await activate(ctx, "gpuc", "observe");
    const [{ rid }, shield] = [await create(ctx, "obs"), await create(ctx, "shield")];
    await deactivateService.run(ctx, { plane: "gpuc", service: "observe" });
    await round();
    expect(await getResource.run(ctx, { rid })).toMatchObject({ state: "suspended" });
    expect(await getResource.run(ctx, { rid: shield.rid })).toMatchObject({ state: "ready" });
    await activate(ctx, "gpuc", "observe");
    await round();
    expect(await getResource.run(ctx, { rid })).toMatchObject({ state: "ready" });
  });
});

describe.each(PLANES)("a key with the scopes of %s alone", (plane) => {
  const others = PLANES.filter((one) => one !== plane);
  const forbidden = (other: Plane, right: string) =>
    expect.objectContaining({ code: "forbidden", details: { reason: "scope_missing", scope: `${other}:${right}` } });

  it("creates, changes, deletes and reads nothing of another plane", async () => {
    const keyWith = await newKey();
    const [all, own] = [keyWith(), keyWith([`${plane}:read`, `${plane}:write`])];
    for (const one of ["gpuc", "edge"] as const) await activate(all, one);
    await activate(all, "gpuc", "observe");
    const made = new Map<Plane, Resource>();
    for (const one of PLANES) made.set(one, await create(all, one));
    for (const other of others) {
      const rid = made.get(other)?.rid ?? "";
      const service = { plane: other, service: SERVICE };
      const reads = [
        () => getResource.run(own, { rid }),
        () => listResources.run(own, listResources.input.parse({ plane: other })),
        () => listActivations.run(own, { plane: other }),
        () => listResourceKinds.run(own, { plane: other }),
        () => listServices.run(own, { plane: other }),
      ];
      for (const read of reads) await expect(read()).rejects.toEqual(forbidden(other, "read"));
      const writes = [
        () => create(own, other, "mine"),
        () => updateResource.run(own, { rid, spec: { size: 9 } }),
        () => deleteResource.run(own, { rid }),
        () => activateService.run(own, { ...service, plan_tier: "enterprise" }),
        () => deactivateService.run(own, service),
      ];
      for (const write of writes) await expect(write()).rejects.toEqual(forbidden(other, "write"));
      expect(await getResource.run(all, { rid })).toMatchObject({ generation: 1, state: "ready" });
    }
    expect(await shownTo(own)).toEqual([plane]);
    expect(await shownTo(all)).toEqual([...PLANES].sort());
    const planesOf = ({ data }: { data: { plane: Plane }[] }) => [...new Set(data.map((one) => one.plane))];
    expect(planesOf(await listResourceKinds.run(own, {}))).toEqual([plane]);
    expect(planesOf(await listServices.run(own, {}))).toEqual([plane]);
    expect(planesOf(await listActivations.run(own, {})).filter((one) => one !== plane)).toEqual([]);
    expect(await updateResource.run(own, { rid: made.get(plane)?.rid ?? "", spec: { size: 2 } })).toMatchObject({
      generation: 2,
    });
  });

  it("reads with the scope to read, and changes nothing with it", async () => {
    const keyWith = await newKey();
    const reading = keyWith([`${plane}:read`]);
    const { rid } = await create(keyWith(), plane);
    expect(await getResource.run(reading, { rid })).toMatchObject({ rid });
    await expect(deleteResource.run(reading, { rid })).rejects.toEqual(forbidden(plane, "write"));
    expect(() => authorize(deleteResource.access, { actor: reading.actor })).toThrow("has none of the scopes");
    expect(() => authorize(getResource.access, { actor: reading.actor })).not.toThrow();
  });
});
