import { type Allocation, RuntimeError } from "../runtime";
import type { MountedVolume } from "../runtime-volumes";

/** An allocation as it is sent: processes of earlier versions know one volume, which the workload may write. */
export interface WireAllocation extends Allocation {
  volume?: MountedVolume;
}

/** Throws `not_supported` for volumes that an agent of an earlier version would not mount. */
export function wireAllocation(allocation: Allocation, { mountsVolumes }: { mountsVolumes: boolean }): WireAllocation {
  const { volumes: [first, ...further] = [] } = allocation;
  if (!first) return allocation;
  if (!mountsVolumes && (further.length > 0 || first.readOnly === true)) {
    throw new RuntimeError("not_supported", "The agent of this node must be upgraded before it mounts such volumes.");
  }
  return { ...allocation, volume: first };
}

export const allocationOf = ({ volume, ...allocation }: WireAllocation): Allocation =>
  volume && !allocation.volumes ? { ...allocation, volumes: [volume] } : allocation;
