import type { RuntimeChoice } from "../../../engines/runtime/choose-runtime";
import type { VolumeList } from "../../../engines/runtime/runtime-volumes";
import type { ClaimedNode } from "../nodes/claimed-node";
import { TEST_KEYS_ONLY } from "../placement/eligible-nodes";
import type { NodeReport } from "../placement/pod-nodes.sql";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const INT_MAX = 2 ** 31 - 1;

/** What a node reports: what it can do, or why it runs nothing. */
export function nodeReportOf(
  node: ClaimedNode,
  choice: RuntimeChoice | undefined,
  volumes: VolumeList | undefined,
): NodeReport {
  const { id, memoryMb } = node;
  const [{ runtime, reason = null }, address] = [choice ?? {}, node.address()];
  const none = {
    kind: null,
    isolation: null,
    limitsEnforced: false,
    reachesPorts: false,
    keepsVolumes: false,
    hasNetworks: false,
    volumesGb: null,
    limitsVolumes: false,
    diskMb: null,
    admittedOnly: false,
  };
  if (!runtime) return { id, ...none, reason, memoryMb, address };
  const { kind, isolation, limitsEnforced } = runtime;
  const reachesPorts = runtime.ports !== false;
  const bytesMax = volumes?.bytesMax ?? null;
  const keeps = {
    keepsVolumes: volumes !== undefined,
    hasNetworks: runtime.networks !== undefined,
    volumesGb: bytesMax === null ? null : Math.floor(bytesMax / GIB),
    limitsVolumes: runtime.volumes?.isEnforced === true,
    diskMb: volumes?.promisesMax === undefined ? null : Math.min(INT_MAX, Math.floor(volumes.promisesMax / MIB)),
    // The nodes of a cluster are not that of svc.
    admittedOnly: node.isForAdmitted === true && kind !== "kubernetes",
  };
  const limited = kind === "process" ? TEST_KEYS_ONLY : null;
  return { id, kind, isolation, limitsEnforced, reachesPorts, ...keeps, reason: limited, memoryMb, address };
}
