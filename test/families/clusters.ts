import { missingForSlurm } from "../../server/engines/runtime/oci/machine-images";
import type { FamilyProof } from "./family-proof";

interface Executed {
  stdout: string;
}

interface Listed {
  data: { id: string; name: string; status: string }[];
}

const cluster = { cluster_id: `plc_${"a".repeat(26)}` };

/** Without a Kubernetes, clusters are placeholders; clusters.test.ts has their effects in a double of one. */
export const clusterProof: FamilyProof = {
  ...{ service: "cks", kind: "cluster", missing: "engine_missing" },
  spec: () => ({}),
  wrong: { spec: { version: "34" }, param: "spec.version" },
  effects: async () => 0,
};

/** Slurm, by the output of a job. */
export const slurmProof: FamilyProof = {
  ...{ service: "sunk", kind: "slurm", isMetered: true },
  ...((await missingForSlurm()) !== undefined && { missing: "engine_missing" }),
  spec: async (world) => {
    const made = await world.call<{ rid: string }>("/v1/resources", {
      body: { service: "cks", kind: "cluster", name: "for-slurm", spec: {} },
    });
    return { cluster_id: made.body.rid, cpu: 1, memory_mb: 256 };
  },
  wrong: { spec: { ...cluster, cluster_id: "mine" }, param: "spec.cluster_id" },
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
