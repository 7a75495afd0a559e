import { missingForSlurm } from "../../server/engines/runtime/oci/host-images";
import type { FamilyProof, World } from "./family-proof";

interface Executed {
  stdout: string;
}

interface Listed {
  data: { id: string; name: string; status: string }[];
}

const planned = `plc_${"a".repeat(26)}`;

/** A cluster of this name, which is a placeholder. */
async function clusterIn(world: World, name: string): Promise<string> {
  const body = { service: "cks", kind: "cluster", name, spec: {} };
  return (await world.call<{ rid: string }>("/v1/resources", { body })).body.rid;
}

/** Without a Kubernetes, clusters are placeholders; clusters.test.ts has their effects in a double of one. */
export const clusterProof: FamilyProof = {
  service: "cks",
  kind: "cluster",
  missing: "engine_missing",
  spec: () => ({}),
  wrong: { spec: { version: "34" }, param: "spec.version" },
  effects: async () => 0,
};

export const nodeGroupProof: FamilyProof = {
  service: "cks",
  kind: "node_group",
  missing: "target_missing",
  spec: async (world) => ({ cluster_id: await clusterIn(world, "for-nodes"), sku: "L40S" }),
  wrong: { spec: { cluster_id: planned, sku: "L40S", desired_size: 0, min_size: 1 }, param: "spec.desired_size" },
  effects: async () => 0,
};

/** Slurm, by the output of a job. */
export const slurmProof: FamilyProof = {
  service: "sunk",
  kind: "slurm",
  isMetered: true,
  ...((await missingForSlurm()) !== undefined && { missing: "engine_missing" }),
  spec: async (world) => ({ cluster_id: await clusterIn(world, "for-slurm"), cpu: 1, memory_mb: 256 }),
  wrong: { spec: { cluster_id: "mine" }, param: "spec.cluster_id" },
  effects: async (world, { name }) => {
    const { body } = await world.call<Listed>("/v1/pods?limit=100");
    const own = body.data.filter((pod) => pod.name === name && pod.status === "ready");
    const outputs = await Promise.all(
      own.map(({ id }) =>
        world.call<Executed>(`/v1/pods/${id}/exec`, { body: { command: ["srun", "sh", "-c", "echo $((6 * 7))"] } }),
      ),
    );
    return outputs.filter(({ body: { stdout } }) => stdout === "42\n").length;
  },
};
