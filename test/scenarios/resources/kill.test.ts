import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Resource } from "../../../server/cloud/resources/resource";
import type { ResourceStep } from "../../../server/cloud/resources/steps";
import { eventually } from "../../factories/app";
import { startRegistryDouble } from "../../factories/registry-double";
import { missingForWorkloads } from "../../factories/workload-machine";
import { FAMILY_PROOFS } from "../../families/families";
import type { FamilyProof, World } from "../../families/family-proof";
import { httpWorld, worldImages, worldLayers } from "../../families/world";
import { makePlace, type Place, type ServerProcess, startProcess } from "../crash/server-process";

const layers = await worldLayers();
const missing = missingForWorkloads() ?? (typeof layers === "string" ? layers : undefined);
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;
/** Kinds whose effects exist on this machine. */
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
    for (const service of new Set(PROOFS.flatMap((proof) => [proof.service, ...(proof.needs ?? [])])))
      await world.call("/v1/activations", { body: { service } });
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    await registry?.stop();
    place?.remove();
  }, 300_000);

  /** Holds every resource at a step, and kills the process when all have come to it. Then it starts again. */
  async function dieAt(step: ResourceStep, begin: () => Promise<unknown>): Promise<void> {
    await server.hold(step);
    // Requests wait for their resources.
    void begin().catch(() => undefined);
    await eventually(async () => Number((await server.rows("held"))[0]?.count) >= PROOFS.length);
    await server.kill();
    server = await startProcess(place);
    // Those of the dead process end after a minute.
    await server.rows("postgres", "UPDATE resources SET lease_until = now() WHERE lease_until IS NOT NULL");
  }

  const nameOf = ({ service, kind }: FamilyProof) => `killed-${service}-${kind}`;
  /** Without the placeholders that specs of others name. */
  const resources = async () =>
    (await world.call<{ data: Resource[] }>("/v1/resources?limit=100")).body.data.filter(
      ({ state }) => state !== "placeholder",
    );

  it("leaves one effect of each kind, and nothing of what was deleted", async () => {
    const specs = new Map(PROOFS.map((proof) => [proof, proof.spec(world)]));
    const create = async (proof: FamilyProof) => {
      const { service, kind } = proof;
      await world.call("/v1/resources", { body: { service, kind, name: nameOf(proof), spec: await specs.get(proof) } });
    };
    await dieAt("resource.provisioned", () => Promise.all(PROOFS.map(create)));
    await eventually(async () => (await resources()).every(({ state }) => state === "ready"));
    const made = await resources();
    expect(made.map(({ name }) => name).sort()).toEqual(PROOFS.map(nameOf).sort());
    const of = (proof: FamilyProof) => made.find(({ name }) => name === nameOf(proof)) as Resource;
    for (const proof of PROOFS) await eventually(async () => (await proof.effects(world, of(proof))) === 1);

    const remove = ({ rid }: Resource) => world.call(`/v1/resources/${rid}`, { method: "DELETE" });
    await dieAt("resource.removed", () => Promise.all(made.map(remove)));
    await eventually(async () => (await resources()).length === 0);
    for (const proof of PROOFS) if (!proof.isResult) expect(await proof.effects(world, of(proof))).toBe(0);
  }, 600_000);
});
