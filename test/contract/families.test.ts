import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gateOf } from "../../server/cloud/core/planes/planes";
import type { Resource } from "../../server/cloud/core/records/resource";
import { FAMILIES } from "../../server/cloud/families/cloud-families";
import { PLANES, type Plane, SCOPES } from "../../server/operation/actor";
import { eventually, makeTenant } from "../factories/app";
import { manage, newProject, platformKey, raiseRate } from "../factories/calls";
import { serveEdge } from "../factories/edge-server";
import { type PodScene, podScene } from "../factories/pod-scene";
import { StorageClient } from "../factories/storage";
import { FAMILY_PROOFS } from "../families/families";
import { type FamilyProof, idOf, type Provisioned, type World } from "../families/family-proof";
import { worldImages, worldLayers, worldModel } from "../families/world";

const scene = await podScene();
const layers = await worldLayers();
const missing = [scene, layers].find((one) => typeof one === "string");
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;

/** Of fields that may hold a secret. */
const SECRET = `Mk${randomBytes(12).toString("hex")}`;

type Failure = { error?: { code: string; message: string; param?: string } };
type HttpResult = { status: number; body: Resource & Failure };

describe.skipIf(missing !== undefined)(`every kind of resource${skipped}`, () => {
  const { test, registry, close } = scene as PodScene;
  let [key, live, strange] = ["", "", ""];
  /** By plane: with all scopes but those of the plane. */
  const keysOfOthers = new Map<Plane, string>();
  let world: World;
  let hosts: Awaited<ReturnType<typeof serveEdge>>;
  /** Every response. */
  const shown: string[] = [];
  beforeAll(async () => {
    const [tenant, other] = [await makeTenant(test), await makeTenant(test)];
    await raiseRate(test, tenant.tenantId);
    const scopes = [...SCOPES];
    const project = await newProject(tenant);
    key = await platformKey(tenant, { mode: "test", scopes, project });
    live = await platformKey(tenant, { mode: "live", scopes });
    strange = await platformKey(other, { mode: "test", scopes });
    for (const plane of PLANES) {
      const others = scopes.filter((scope) => !scope.startsWith(`${plane}:`));
      keysOfOthers.set(plane, await platformKey(tenant, { mode: "test", scopes: others, project }));
    }
    const storage = new StorageClient(test, key);
    hosts = await serveEdge(test);
    world = {
      call: (path, sent = {}) => call(path, sent) as never,
      visit: async (url) => {
        const { status, headers, body } = await hosts.ask(url);
        return { status, location: headers.location, body };
      },
      read: async (name, object) => {
        const bytes = await storage.bytes(name, object).catch(() => undefined);
        return bytes?.toString("latin1");
      },
      ...worldImages(registry, layers as Exclude<typeof layers, string>),
      bucket: "models-of-all-families",
      secret: SECRET,
    };
    await storage.create(world.bucket);
    await storage.putBytes(world.bucket, "model.safetensors", worldModel());
  });
  afterAll(async () => {
    hosts.stop();
    await close();
  });

  async function call(
    path: string,
    sent: { body?: object | undefined; method?: string | undefined; key?: string } = {},
  ): Promise<HttpResult> {
    const { method, body } = sent;
    const response = await manage(test, path, {
      key: sent.key ?? key,
      ...(method !== undefined && { method }),
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    shown.push(text);
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  }
  const until = async (rid: string, holds: (answer: HttpResult) => boolean): Promise<Resource> => {
    let answer = await call(`/v1/resources/${rid}`);
    await eventually(async () => {
      answer = await call(`/v1/resources/${rid}`);
      return holds(answer);
    }).catch((cause: unknown) => {
      throw new Error(`${rid} is ${JSON.stringify(answer)}`, { cause });
    });
    return answer.body;
  };
  const untilState = (rid: string, state: Resource["state"]) => until(rid, ({ body }) => body.state === state);
  const untilEffects = (proof: FamilyProof, resource: Provisioned, count: number) =>
    eventually(async () => (await proof.effects(world, resource)) === count);
  const activate = async (proof: FamilyProof) => {
    const gate = gateOf(idOf(proof));
    const needed = (proof.needs ?? []).map((service) => ({ plane: "gpuc", service }));
    for (const body of [...(gate ? [gate] : []), ...needed]) await call("/v1/activations", { body });
  };
  /** Resolves to the status; undefined where nothing needs to be activated. */
  const deactivate = async (proof: FamilyProof): Promise<number | undefined> => {
    const gate = gateOf(idOf(proof));
    if (!gate) return undefined;
    const path = `/v1/activations/${gate.service}?plane=${gate.plane}`;
    return (await call(path, { method: "DELETE" })).status;
  };

  it("has a proof", async () => {
    const { body } = await call("/v1/resources/kinds");
    const kinds = (body as unknown as { data: { plane: Plane; service: string; kind: string }[] }).data;
    const nameOf = ({ plane = "gpuc", service, kind }: Pick<FamilyProof, "plane" | "service" | "kind">) =>
      `${plane} ${service} ${kind}`;
    const provisioned = kinds.filter((one) => FAMILIES.find(one)?.blocker === undefined);
    expect(FAMILY_PROOFS.map(nameOf).sort()).toEqual(provisioned.map(nameOf).sort());
  });

  // Those of different services run side by side; deactivating one must not meet a resource of another test.
  it.concurrent.each(byService())("%s: each kind keeps the contract of its plane", async (_service, proofs) => {
    for (const proof of proofs) await keepsContract(proof);
  });

  it("shows a value that may be a secret nowhere, and its resource, which was deleted, does not keep it", async () => {
    const { sql } = test.engines;
    const { rows } = await sql.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const holding = [];
    for (const { name } of rows) {
      const found = await sql.query(`SELECT 1 FROM ${name} AS row WHERE row::text LIKE $1 LIMIT 1`, [`%${SECRET}%`]);
      if (found.rows.length > 0) holding.push(name);
    }
    // What a pod runs stays in its row.
    expect(["public.pods"]).toEqual(expect.arrayContaining(holding));
    expect(shown.filter((text) => text.includes(SECRET))).toEqual([]);
    expect(shown.filter((text) => text.includes("[redacted]"))).not.toEqual([]);
  });

  async function keepsContract(proof: FamilyProof): Promise<void> {
    const { kind, wrong } = proof;
    const { plane, service } = idOf(proof);
    const name = `contract-${plane}-${service}-${kind}`.replaceAll("_", "-");
    const create = (more: object = {}, by = key) =>
      call("/v1/resources", { key: by, body: { plane, service, kind, name, spec, ...more } });
    for (const needed of proof.needs ?? []) await call("/v1/activations", { body: { service: needed } });
    const spec = await proof.spec(world);

    // Another kind may have activated it.
    const planned = (await deactivate(proof)) === undefined ? undefined : await create();
    if (planned) {
      expect(planned.body).toMatchObject({ state: "placeholder", provisioned: false, plan: expect.any(Array) });
      expect((await create()).body).toEqual(planned.body);
      expect(await proof.effects(world, planned.body)).toBe(0);
    }

    await activate(proof);
    for (const [more, param] of [
      [{ kind: "nothing" }, "kind"],
      [{ spec: { ...spec, nothing: 1 } }, "spec.nothing"],
      [{ spec: wrong.spec }, wrong.param],
    ] as const) {
      const refused = await create(more);
      expect([refused.status, refused.body.error?.param], JSON.stringify(refused.body)).toEqual([400, param]);
    }

    if (proof.missing !== undefined) {
      expect((await create()).body).toMatchObject({ state: "placeholder", reason: { code: proof.missing } });
      return;
    }
    const made = await create();
    expect([made.status, made.body.name], JSON.stringify(made.body)).toEqual([201, name]);
    const { rid } = made.body;
    const ready = await untilState(rid, "ready");
    expect(ready.provisioned).toBe(true);
    await untilEffects(proof, ready, 1);
    expect((await create()).body.rid).toBe(rid);
    if (planned) expect((await call(`/v1/resources/${planned.body.rid}`)).status).toBe(404);

    const stored = "SELECT 1 FROM resources AS row WHERE id = $1 AND row::text LIKE $2";
    expect((await test.engines.sql.query(stored, [rid, `%${SECRET}%`])).rows).toEqual([]);
    await keepsPlane(proof, ready);
    for (const by of [strange, live]) {
      const path = `/v1/resources/${rid}`;
      const tries = await Promise.all([
        call(path, { key: by }),
        call(path, { key: by, method: "PATCH", body: { spec } }),
        call(path, { key: by, method: "DELETE" }),
      ]);
      expect(tries.map(({ status }) => status)).toEqual([404, 404, 404]);
    }

    await suspendAndResume(proof, ready);

    const changed = await proof.changed?.(world);
    if (changed) {
      const taken = await create({ spec: changed });
      expect([taken.status, taken.body.error?.code]).toEqual([409, "conflict"]);
      await call(`/v1/resources/${rid}`, { method: "PATCH", body: { spec: changed } });
      const after = await until(rid, ({ body }) => body.state === "ready" && body.generation === 2);
      await untilEffects(proof, after, proof.changedEffects ?? 1);
    }

    const last = (await call(`/v1/resources/${rid}`)).body;
    await call(`/v1/resources/${rid}`, { method: "DELETE" });
    await until(rid, ({ status }) => status === 404);
    if (!proof.isResult) expect(await proof.effects(world, last)).toBe(0);
    await proof.tidy?.(world);
    if (proof.isMetered) {
      const usage = await call(`/v1/resources/usage?plane=${plane}&service=${service}`);
      expect((usage.body as unknown as { data: { rid: string }[] }).data.map((row) => row.rid)).toContain(rid);
    }
  }

  /** A key with the scopes of all other planes alone can do nothing with it. */
  async function keepsPlane(proof: FamilyProof, { rid }: Resource): Promise<void> {
    const by = keysOfOthers.get(idOf(proof).plane) ?? "";
    const path = `/v1/resources/${rid}`;
    const tries = await Promise.all([
      call(path, { key: by }),
      call(path, { key: by, method: "PATCH", body: { spec: {} } }),
      call(path, { key: by, method: "DELETE" }),
      call("/v1/resources", { key: by, body: { ...idOf(proof), name: "mine" } }),
    ]);
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  }

  /** What it needs is deactivated, which ends its effect, and activated again. */
  async function suspendAndResume(proof: FamilyProof, resource: Resource): Promise<void> {
    const status = await deactivate(proof);
    if (status === undefined) return;
    expect(status).toBe(proof.cannotSuspend ? 409 : 204);
    if (proof.cannotSuspend) return;
    await untilState(resource.rid, "suspended");
    if (!proof.isResult) await untilEffects(proof, resource, 0);
    await activate(proof);
    await untilState(resource.rid, "ready");
    await untilEffects(proof, resource, 1);
  }
});

/** Proofs that need the same activation come together, and one that needs another service with that. */
function byService(): [string, FamilyProof[]][] {
  const groups = new Map<string, FamilyProof[]>();
  for (const proof of FAMILY_PROOFS) {
    const gate = gateOf(idOf(proof)) ?? idOf(proof);
    const name = `${gate.plane} ${proof.needs?.[0] ?? gate.service}`;
    groups.set(name, [...(groups.get(name) ?? []), proof]);
  }
  return [...groups];
}
