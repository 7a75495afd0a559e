import { missingForSlurm } from "../../../engines/runtime/oci/host-images";
import { ServiceError } from "../../../kernel/errors";
import type { Blocker, ResourceOwner } from "../../core/kinds/kind";
import { reportingNodes } from "../placement/pod-nodes.sql";
import { requireRuntime } from "../placement/require-runtime";
import type { ClusterParts } from "./cluster-ctx";
import type { SlurmSpec } from "./cluster-spec";

/** What is missing for a Slurm: a node that runs pods, and the programs of Slurm on it. */
export async function blockerOfSlurm(
  parts: ClusterParts,
  spec: SlurmSpec,
  { tenantId, mode }: ResourceOwner,
): Promise<Blocker | undefined> {
  try {
    await requireRuntime(parts, { tenantId, gpu: null, region: null, mode, ports: [], volumeGb: null });
  } catch (failure) {
    if (!(failure instanceof ServiceError) || failure.code !== "unavailable") throw failure;
    return missing(failure.message);
  }
  if (spec.image !== undefined) return undefined;
  const kinds = (await reportingNodes(parts.sql)).map(({ kind }) => kind);
  if (!kinds.includes("namespaces")) return missing("No node runs pods with the runtime namespaces.");
  const message = await missingForSlurm();
  return message === undefined ? undefined : missing(message);
}

const missing = (message: string): Blocker => ({
  code: "engine_missing",
  message,
  remedy:
    "The operator installs the Debian packages slurmctld, slurmd, slurm-client and munge on the node that runs pods; or name an image with Slurm and munge.",
});
