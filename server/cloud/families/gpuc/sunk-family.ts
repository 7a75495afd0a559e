import type { ClusterParts } from "../../compute/clusters/cluster-ctx";
import type { Family } from "../../core/kinds/family";
import { slurmKind } from "./slurm-kind";

const SUFFIX_LENGTH = 10;

/** Slurm for clusters. */
export const sunkFamily = (parts: () => ClusterParts): Family => ({
  plane: "gpuc",
  service: "sunk",
  label: "Slurm on Kubernetes",
  summary: "Batch jobs with Slurm in a cluster.",
  meters: ["pods"],
  skus: [],
  kinds: { slurm: slurmKind(parts) },
  tools: {
    create: [
      {
        signature: "gpuc_cks_sunk_install cluster_id*:s",
        nameOf: ({ cluster_id: id }) => `slurm-${String(id).slice(-SUFFIX_LENGTH)}`,
        about:
          "Installs Slurm for a cluster, also for a placeholder: a pod with a partition for each node group. observed.pod_id is the pod in which svc_pods_exec runs srun, sbatch and sinfo.",
      },
    ],
  },
});
