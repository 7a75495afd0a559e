import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openForFile } from "../../../../test/factories/open-for-file";
import { ResourceScene } from "../../../../test/factories/resource-scene";
import { insertResource } from "../records/insert-resource";
import type { ResourceCtx } from "../records/resource-ctx";
import { activateService } from "../resources/activate-service";
import { deleteResource } from "../resources/delete-resource";
import { getResource } from "../resources/get-resource";
import { ref, referencesOf, refersTo } from "./reference-fields";

const scene = await openForFile(ResourceScene.open());
beforeEach(() => scene.reset());

const rid = (letter: string) => `res_${letter.repeat(26)}`;
const dependentsOf = async (ctx: ResourceCtx, id: string) =>
  (await getResource.run(ctx, { rid: id })).dependents.map((one) => `${one.name} ${one.param} ${one.on_delete}`);
const remove = (ctx: ResourceCtx, id: string) => deleteResource.run(ctx, { rid: id });
const HAS_DEPENDENTS = { code: "conflict", details: { reason: "has_dependents" } };

describe("the references of a spec", () => {
  const vpc = () => ref("net", "vpc");
  const one = { vpc: rid("a") };
  it.each([
    { in: "an optional field", schema: { vpc: vpc().optional() }, spec: one, params: ["spec.vpc"] },
    { in: "an absent field", schema: { vpc: vpc().optional() }, spec: {}, params: [] },
    { in: "a field that may be null", schema: { vpc: vpc().nullable() }, spec: one, params: ["spec.vpc"] },
    { in: "a field with a description", schema: { vpc: vpc().describe("It") }, spec: one, params: ["spec.vpc"] },
    {
      in: "a list",
      schema: { all: z.array(vpc()).default([]) },
      spec: { all: [rid("a"), rid("b")] },
      params: ["spec.all[0]", "spec.all[1]"],
    },
    {
      in: "objects in a list",
      schema: { all: z.array(z.strictObject({ vpc: vpc() })) },
      spec: { all: [one] },
      params: ["spec.all[0].vpc"],
    },
    {
      in: "a record",
      schema: { all: z.record(z.string(), vpc()) },
      spec: { all: { x: rid("a") } },
      params: ["spec.all.x"],
    },
    {
      in: "the chosen one of several objects",
      schema: { to: z.union([z.strictObject({ url: z.string() }), z.strictObject({ vpc: vpc() })]) },
      spec: { to: one },
      params: ["spec.to.vpc"],
    },
  ])("are found in $in", ({ schema, spec, params }) => {
    const refined = z.strictObject(schema as z.ZodRawShape).refine(() => true);
    expect(referencesOf(refined, spec).map(({ param }) => param)).toEqual(params);
  });

  it("are in the JSON schema of their kind", () => {
    const schema = z.toJSONSchema(z.strictObject({ vpc: vpc().optional() })) as unknown as {
      properties: { vpc: object };
    };
    expect(schema.properties.vpc).toMatchObject({ "x-reference": { targets: [{ service: "net", kind: "vpc" }] } });
  });

  it("leave out what names no resource, and a part of a resource", () => {
    const marks = refersTo([{ service: "net" }], { hasParts: true, allowsOthers: true });
    const schema = z.strictObject({ to: z.string().meta(marks) });
    expect(referencesOf(schema, { to: "pod_x" })).toEqual([]);
    expect(referencesOf(schema, { to: `${rid("a")}/default` }).map(({ id }) => id)).toEqual([rid("a")]);
  });
});

describe("a resource that another one needs", () => {
  it("is not deleted before that one, and has it among its dependents", async () => {
    const ctx = await scene.activeClient();
    const [used, other] = [await scene.create(ctx, "used"), await scene.create(ctx, "other")];
    const user = await scene.create(ctx, "user", { uses: [other.rid, used.rid] });
    expect(await dependentsOf(ctx, used.rid)).toEqual(["user spec.uses[1] restrict"]);
    await expect(remove(ctx, used.rid)).rejects.toMatchObject({
      ...HAS_DEPENDENTS,
      details: { rids: [user.rid] },
    });
    await scene.update(ctx, user.rid, { uses: [other.rid] });
    expect(await dependentsOf(ctx, used.rid)).toEqual([]);
    expect(await remove(ctx, used.rid)).toBeUndefined();
    await expect(remove(ctx, other.rid)).rejects.toMatchObject(HAS_DEPENDENTS);
    await remove(ctx, user.rid);
    expect(await remove(ctx, other.rid)).toBeUndefined();
    expect(await scene.database.db.resourceReference.count()).toBe(0);
  });

  it("is of its own tenant, project and mode, and of the kind that the field names", async () => {
    const [ctx, stranger] = [await scene.activeClient(), await scene.activeClient()];
    const strange = await scene.create(stranger, "strange");
    const missing = (id: string) => ({
      code: "not_found",
      param: "spec.uses[0]",
      message: `spec.uses[0]: this project and mode have no effect of the service observe with the id "${id}".`,
      details: { reason: "no_such_resource", expected: [{ service: "observe", kind: "effect" }] },
    });
    for (const id of [strange.rid, rid("z")])
      await expect(scene.create(ctx, "user", { uses: [id] })).rejects.toMatchObject(missing(id));
    const user = await scene.create(ctx, "user");
    await expect(scene.update(ctx, user.rid, { uses: [strange.rid] })).rejects.toMatchObject(missing(strange.rid));
    await scene.database.db.resource.update({ where: { id: strange.rid }, data: { service: "net" } });
    await expect(scene.create(stranger, "user", { uses: [strange.rid] })).rejects.toMatchObject(missing(strange.rid));
  });

  it("that is deleted while the other one is created is either kept or not found", async () => {
    const ctx = await scene.activeClient();
    const used = await scene.create(ctx, "used");
    const { db } = scene.database;
    const identity = { ...created(ctx), name: "user", spec: { size: 1, label: "", uses: [used.rid] } };
    let deletion: Promise<unknown> = Promise.resolve();
    const { row } = await db.$transaction(async (tx) => {
      const inserted = await insertResource(tx, ctx, { identity, blocker: undefined });
      deletion = remove(ctx, used.rid).catch((cause: unknown) => cause);
      // It waits for what the creation holds.
      await expect.poll(() => waiting(), { timeout: 10_000 }).toBe(1);
      return inserted;
    });
    expect(await deletion).toMatchObject({ ...HAS_DEPENDENTS, details: { rids: [row.id] } });
    await remove(ctx, row.id);
    await remove(ctx, used.rid);
    await expect(scene.create(ctx, "late", { uses: [used.rid] })).rejects.toMatchObject({ code: "not_found" });
  });

  it("with parts is deleted after its parts", async () => {
    const ctx = await scene.activeClient();
    const whole = await scene.create(ctx, "whole");
    const part = await scene.create(ctx, "part", { part_of: whole.rid });
    const inner = await scene.create(ctx, "inner", { part_of: part.rid });
    const removed: string[] = [];
    scene.effects.before = (what, id) => void (what === "remove" && removed.push(id));
    expect(await remove(ctx, whole.rid)).toMatchObject({ state: "deleting" });
    for (let i = 0; i < 3; i++) {
      scene.clock.advance(6001);
      await scene.round();
    }
    expect(removed).toEqual([inner.rid, part.rid, whole.rid]);
    expect(scene.effects.byRid.size).toBe(0);
  });

  it("that may go is deleted although it is named", async () => {
    const ctx = await scene.activeClient();
    const near = await scene.create(ctx, "near");
    const one = await scene.create(ctx, "one", { beside: `${near.rid}/part` });
    await scene.create(ctx, "two", { beside: "pod_x" });
    expect(await dependentsOf(ctx, near.rid)).toEqual(["one spec.beside none"]);
    expect(await remove(ctx, near.rid)).toBeUndefined();
    // Other fields can change without it.
    expect(await scene.update(ctx, one.rid, { beside: `${near.rid}/part`, size: 2 })).toMatchObject({ generation: 2 });
  });

  it("is found by an index, however many resources there are", async () => {
    const { rows } = await scene.database.sql.query<{ "QUERY PLAN": string }>({
      text: `EXPLAIN SELECT r.id FROM resource_references f JOIN resources r ON r.id = f.from_id WHERE f.to_id = 'res_x'`,
    });
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("resource_references_to_id_idx");
  });
});

describe("a placeholder that another one names", () => {
  it("makes that one a placeholder, unless its field takes placeholders", async () => {
    const ctx = await scene.newClient();
    const planned = await scene.create(ctx, "planned");
    expect(planned.state).toBe("placeholder");
    await activate(ctx);
    const user = await scene.create(ctx, "user", { uses: [planned.rid] });
    expect([user.state, user.reason?.code]).toEqual(["placeholder", "target_missing"]);
    expect(await scene.create(ctx, "part", { part_of: planned.rid })).toMatchObject({ state: "ready" });
    const real = await scene.create(ctx, "real");
    await expect(scene.update(ctx, real.rid, { uses: [planned.rid] })).rejects.toMatchObject({
      code: "unprocessable",
      param: "spec.uses[0]",
      details: { reason: "target_missing" },
    });
  });
});

const created = ({ actor }: ResourceCtx) => {
  const { tenantId } = actor;
  const projectId = actor.kind === "key" ? actor.projectId : "";
  return { tenantId, projectId, mode: "test", plane: "gpuc", service: "observe", kind: "effect" } as const;
};

const activate = async (ctx: ResourceCtx) => {
  await activateService.run(ctx, { plane: "gpuc", service: "observe", plan_tier: "enterprise" });
};

/** How many statements wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await scene.database.sql.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );
  return rows[0]?.n ?? 0;
}
