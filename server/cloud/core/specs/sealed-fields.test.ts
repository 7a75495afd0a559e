import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Effects } from "../../../../test/factories/effect-family";
import { type TestDatabase, testDatabase } from "../../../../test/factories/postgres";
import { migrateJobs } from "../../../engines/jobs/migrate-jobs";
import { ManualClock } from "../../../kernel/clock";
import { newId } from "../../../kernel/ids";
import { SCOPES } from "../../../operation/actor";
import { Families } from "../kinds/families";
import { ResourceLanes } from "../reconciler/resource-lanes";
import { waitUntilStable } from "../reconciler/wait-until-stable";
import type { Resource } from "../records/resource";
import type { ResourceCtx } from "../records/resource-ctx";
import { activateService } from "../resources/activate-service";
import { createResource } from "../resources/create-resource";
import { deleteResource } from "../resources/delete-resource";
import { getResource } from "../resources/get-resource";
import { updateResource } from "../resources/update-resource";
import { sealed } from "./sealed-fields";
import {
  openedSpec,
  redactedSpec,
  sealedValuesOf,
  specKeysOf,
  storedSpec,
  withKeptValues,
  withSealedValues,
} from "./specs";

const SECRET = "Mk7f3a9cQ2";

describe("a marked field of a spec", () => {
  const schema = z.strictObject({
    name: z.string(),
    token: sealed(z.string()).optional(),
    notify: z
      .array(z.union([z.strictObject({ url: sealed(z.url(), "query") }), z.strictObject({ key: sealed(z.string()) })]))
      .default([]),
    headers: z.record(z.string(), sealed(z.string())).default({}),
  });
  const spec = {
    name: "n",
    token: SECRET,
    notify: [{ url: `https://a.example/hook?key=${SECRET}` }, { key: SECRET }],
    headers: { "x/~key": SECRET },
  };
  const shown = {
    name: "n",
    token: "[redacted]",
    notify: [{ url: "https://a.example/hook?[redacted]" }, { key: "[redacted]" }],
    headers: { "x/~key": "[redacted]" },
  };

  it("is redacted at any depth, and its value is kept apart and comes back", () => {
    expect(redactedSpec(schema, spec)).toEqual(shown);
    expect(Object.keys(sealedValuesOf(schema, spec))).toEqual([
      "/token",
      "/notify/0/url",
      "/notify/1/key",
      "/headers/x~1~0key",
    ]);
    expect(withSealedValues(schema, shown, sealedValuesOf(schema, spec))).toEqual(spec);
    expect(spec.token).toBe(SECRET);
  });

  it("keeps its value when it is sent back as it was shown, and takes another one", () => {
    expect(withKeptValues(schema, shown, spec)).toEqual(spec);
    expect(withKeptValues(schema, { ...shown, token: "new" }, spec)).toEqual({ ...spec, token: "new" });
    const { token: _, ...without } = shown;
    expect(withKeptValues(schema, without, spec)).not.toHaveProperty("token");
  });

  it("is stored sealed: with the key of the installation, for one resource", () => {
    const keys = specKeysOf(randomBytes(32));
    const stored = storedSpec({ keys, schema, id: "res_1" }, spec);
    expect(JSON.stringify(stored)).not.toContain(SECRET);
    expect(openedSpec({ keys, schema, id: "res_1" }, stored)).toEqual(spec);
    expect(() => openedSpec({ keys, schema, id: "res_2" }, stored)).toThrow("cannot be opened");
    expect(() => openedSpec({ keys: specKeysOf(randomBytes(32)), schema, id: "res_1" }, stored)).toThrow("SVC_SECRET");
    const other = storedSpec({ keys: specKeysOf(randomBytes(32)), schema, id: "res_1" }, spec);
    expect(other.specHash).not.toBe(stored.specHash);
  });
});

describe("a resource with a sealed field", () => {
  let database: TestDatabase;
  const effects = new Effects();
  const clock = new ManualClock(new Date("2026-11-20T09:00:00Z"));
  const families = new Families([effects.family()], randomBytes(32));
  let ctx: ResourceCtx;
  beforeAll(async () => {
    database = await testDatabase();
    await migrateJobs(database.sql);
    const { db, sql } = database;
    const [tenantId, projectId] = [newId("ten", 1), newId("prj", 1)];
    await db.tenant.create({ data: { id: tenantId, name: "Acme", createdAt: clock.now() } });
    await db.project.create({ data: { id: projectId, tenantId, name: "main", createdAt: clock.now() } });
    const actor = { kind: "key", tenantId, projectId, keyId: "key_1", mode: "test", scopes: new Set(SCOPES) } as const;
    const request = { requestId: "req_1", address: "127.0.0.1", userAgent: "test" };
    const reconciling = { db, sql, clock, log: pino({ level: "silent" }), families, lanes: new ResourceLanes() };
    const own = { actor, request, cursorKey: randomBytes(32), encryptionKey: randomBytes(32), families };
    const waiting = { waitUntilStable: (rid: string) => waitUntilStable(reconciling, rid) };
    ctx = { ...database, clock, ...own, ...waiting } as unknown as ResourceCtx;
  });
  afterAll(() => database.close());

  async function create(name: string, spec: object): Promise<Resource> {
    const made = await createResource.run(ctx, createResource.input.parse({ service: "observe", name, spec }));
    return (await createResource.afterCommit?.(ctx, made)) ?? made;
  }
  /** The tables of which a row has the secret. */
  const holding = async () => {
    const found: string[] = [];
    for (const table of ["resources", "audit_entries", "events"]) {
      const { rows } = await database.sql.query(`SELECT 1 FROM ${table} AS r WHERE r::text LIKE $1`, [`%${SECRET}%`]);
      if (rows.length > 0) found.push(table);
    }
    return found;
  };

  it("gives the value to its effect alone, and keeps it over an update and from a placeholder", async () => {
    const planned = await create("one", { label: SECRET });
    expect(planned).toMatchObject({ state: "placeholder", spec: { label: "[redacted]" } });
    expect(await holding()).toEqual([]);
    await activateService.run(ctx, { plane: "gpuc", service: "observe" });
    // As the dashboard creates it again, from what it has read.
    const made = await create("one", planned.spec);
    expect(made).toMatchObject({ state: "ready", spec: { label: "[redacted]" } });
    expect(effects.labels.get(made.rid)).toBe(SECRET);
    expect((await create("one", { label: SECRET })).rid).toBe(made.rid);
    await expect(create("one", { label: "other" })).rejects.toMatchObject({ details: { differs: ["spec.label"] } });
    effects.labels.clear();
    const changed = await updateResource.run(ctx, { rid: made.rid, spec: { ...made.spec, size: 2 } });
    expect(changed).toMatchObject({ state: "ready", generation: 2, spec: { size: 2, label: "[redacted]" } });
    expect(effects.labels.get(made.rid)).toBe(SECRET);
    expect(await getResource.run(ctx, { rid: made.rid })).toMatchObject({ spec: { label: "[redacted]" } });
    expect(await holding()).toEqual([]);
    await deleteResource.run(ctx, { rid: made.rid });
    const row = await database.db.resource.findUniqueOrThrow({ where: { id: made.rid } });
    expect(row).toMatchObject({ state: "deleted", sealed: null });
  });
});
