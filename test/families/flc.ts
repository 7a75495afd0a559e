import { setTimeout } from "node:timers/promises";
import type { FamilyProof, Listed, World } from "./family-proof";

/** The instance that has the node. */
const FLEET = "fleet";
const TRIES = 150;
const POLL_MS = 200;

async function fleetPod(world: World): Promise<{ status: string; runs: number } | undefined> {
  const { body } = await world.call<Listed<{ name: string; status: string; runs: number }>>("/v1/pods?limit=100");
  return body.data.find(({ name }) => name === FLEET);
}

/** Creates the instance, if there is none, and waits until it runs. */
async function makeFleet(world: World): Promise<void> {
  const spec = { sku: "H200", image_id: world.shell, cpu: 1, memory_mb: 64 };
  await world.call("/v1/resources", { body: { service: "baremetal", name: FLEET, spec } });
  for (let tries = 0; (await fleetPod(world))?.status !== "ready"; tries++) {
    if (tries === TRIES) throw new Error("The instance does not run.");
    await setTimeout(POLL_MS);
  }
}

export const upgradeProof: FamilyProof = {
  ...{ service: "flc", kind: "upgrade", needs: ["baremetal"], isResult: true },
  spec: async (world) => {
    await makeFleet(world);
    return { target_version: "9.1.0" };
  },
  wrong: { spec: { target_version: "9.1.0", max_unavailable: 0 }, param: "spec.max_unavailable" },
  // An upgrade stops the instance, which runs again afterwards.
  effects: async (world) => {
    const pod = await fleetPod(world);
    return pod?.status === "ready" ? pod.runs - 1 : 0;
  },
};
