import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gateOf } from "../../../server/cloud/core/planes/planes";
import type { ResourceStep } from "../../../server/cloud/core/reconciler/steps";
import type { Resource } from "../../../server/cloud/core/records/resource";
import { eventually } from "../../factories/app";
import { startRegistryDouble } from "../../factories/registry-double";
import { waitFor } from "../../factories/wait-for";
import { missingForWorkloads } from "../../factories/workload-node";
import { FAMILY_PROOFS } from "../../families/families";
import { type FamilyProof, idOf, type World } from "../../families/family-proof";
import { deleted } from "../../families/made-resources";
import { httpWorld, worldImages, worldLayers } from "../../families/world";
import { makePlace, type Place, type ServerProcess, startProcess } from "../crash/server-process";

const layers = await worldLayers();
const missing = missingForWorkloads() ?? (typeof layers === "string" ? layers : undefined);
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;
/** A key has 600 requests a minute. */
const POLLING = { timeout: 180_000, interval: 500 };
/** Workloads of all kinds start at once. */
const HELD_WITHIN_MS = 90_000;
/** Kinds whose effects exist on this node. */
const PROOFS = FAMILY_PROOFS.filter((proof) => proof.missing === undefined);

describe.skipIf(missing !== undefined)(`kill -9 between an effect and its record${skipped}`, () => {
  let place: Place;
  let registry: Awaited<ReturnType<typeof startRegistryDouble>>;
  let server: ServerProcess;
  let world: World;
  beforeAll(async () => {
    registry = await startRegistryDouble();
    place = { ...(await makePlace()), env: { RUNTIME: "namespaces" } };
    server = await startProcess(place);
    const images = worldImages(registry, layers as Exclude<typeof layers, string>);
    world = await httpWorld({ url: server.url, key: server.keys.test, images });
    const needed = PROOFS.flatMap((proof) => [
      gateOf(idOf(proof)) ?? [],
      (proof.needs ?? []).map((service) => ({ plane: "gpuc", service })),
    ]).flat();
    for (const body of needed) await world.call("/v1/activations", { body });
  }, 300_000);
  afterAll(async () => {
    // Workloads outlive svc.
    if (world) for (const { name } of await all()) await deleted(world, name);
    await server?.stop();
    await registry?.stop();
    place?.remove();
  }, 300_000);

  /** Holds every resource at a step, and kills the process when all have come to it. Then it starts again. */
  async function dieAt(step: ResourceStep, begin: () => Promise<unknown>): Promise<void> {
    await server.hold(step);
    // Requests wait for their resources.
    void begin().catch(() => undefined);
    await eventually(async () => Number((await server.rows("held"))[0]?.count) >= PROOFS.length, HELD_WITHIN_MS);
    await server.kill();
    server = await startProcess(place);
    // What the dead process had is left to it for a minute.
    await server.rows(
      "postgres",
      "UPDATE resources SET lease_until = now(), next_at = now() WHERE lease_until IS NOT NULL",
    );
  }

  const nameOf = ({ service, kind }: FamilyProof) => `killed-${service}-${kind}`;

  const all = async () => (await world.call<{ data: Resource[] }>("/v1/resources?limit=100")).body.data;
  const resources = async () => (await all()).filter(({ name }) => name.startsWith("killed-"));

  it("leaves one effect of each kind, and nothing of what was deleted", async () => {
    const specs = new Map<FamilyProof, object>();
    for (const proof of PROOFS) specs.set(proof, await proof.spec(world));
    const create = async (proof: FamilyProof) => {
      const body = { ...idOf(proof), kind: proof.kind, name: nameOf(proof), spec: specs.get(proof) };
      await world.call("/v1/resources", { body });
    };
    await dieAt("resource.provisioned", () => Promise.all(PROOFS.map(create)));
    const made = await waitFor(async () => {
      const seen = await resources();
      const others = seen.filter(({ state }) => state !== "ready");
      expect(others.map(({ name, state, reason, observed }) => ({ name, state, reason, observed }))).toEqual([]);
      return seen;
    }, POLLING);
    expect(made.map(({ name }) => name).sort()).toEqual(PROOFS.map(nameOf).sort());
    const of = (proof: FamilyProof) => made.find(({ name }) => name === nameOf(proof)) as Resource;
    for (const proof of PROOFS)
      await waitFor(
        async () => expect([nameOf(proof), await proof.effects(world, of(proof))]).toEqual([nameOf(proof), 1]),
        POLLING,
      );

    const remove = ({ rid }: Resource) => world.call(`/v1/resources/${rid}`, { method: "DELETE" });
    await dieAt("resource.removed", () => Promise.all(made.map(remove)));
    await waitFor(async () => expect(await resources()).toEqual([]), POLLING);
    for (const proof of PROOFS) if (!proof.isResult) expect(await proof.effects(world, of(proof))).toBe(0);
    for (const proof of PROOFS) await proof.tidy?.(world);
  }, 600_000);
});
