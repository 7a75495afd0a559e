import type { FamilyProof, Listed, World } from "./family-proof";
import { created, deleted } from "./made-resources";

const INSTANCE = "upgraded-node";

/** How often the instance on the node had to make room for an upgrade. */
async function reclaims(world: World): Promise<number> {
  const { body } = await world.call<Listed<{ id: string; name: string }>>("/v1/pods?limit=100");
  const pod = body.data.find(({ name }) => name === INSTANCE);
  if (!pod) return 0;
  const events = await world.call<Listed<{ type: string }>>(`/v1/pods/${pod.id}/events`);
  return events.body.data.filter(({ type }) => type === "reclaimed").length;
}

export const upgradeProof: FamilyProof = {
  service: "flc",
  kind: "upgrade",
  needs: ["baremetal"],
  isResult: true,
  spec: async (world) => {
    const spec = { sku: "A100", image_id: world.shell, cpu: 1, memory_mb: 64 };
    await created(world, { service: "baremetal", name: INSTANCE, spec });
    return { target_version: "9.0.1" };
  },
  wrong: { spec: { target_version: "9 0" }, param: "spec.target_version" },
  effects: reclaims,
  tidy: (world) => deleted(world, INSTANCE),
};
