import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";
import { gangClaims } from "../../core/gang-claims/gang-claims";

export const VOLUME_QUOTAS = {
  volume_gb: {
    resource: "volume_gb",
    unit: "GiB of volumes",
    description:
      "Sizes of shared volumes and of those of pods and workspaces that are not deleted, of all projects and both modes; a gang counts as a whole while one of its pods waits",
    defaultLimit: 1024,
    liftable: COUNTABLE,
    used: async (tx, { tenantId }) => {
      const { _sum: sums } = await tx.pod.aggregate({ where: { tenantId, deletedAt: null }, _sum: { volumeGb: true } });
      const shared = await tx.sharedVolume.aggregate({ where: { tenantId }, _sum: { capacityGb: true } });
      const { volumeGb } = await gangClaims(tx, { tenantId });
      return (sums.volumeGb ?? 0) + (shared._sum.capacityGb ?? 0) + volumeGb;
    },
    remedy: "delete a pod with a volume, a workspace or a shared volume",
  },
  checkpoint_bytes: {
    resource: "checkpoint_bytes",
    unit: "bytes",
    description:
      "What the checkpoints of pods and the snapshots of shared volumes take in object storage, compressed, of all projects and both modes",
    defaultLimit: 100 * 1024 ** 3,
    liftable: { min: 0, max: Number.MAX_SAFE_INTEGER },
    used: async (tx, { tenantId }) => {
      const { _sum: sums } = await tx.pod.aggregate({ where: { tenantId }, _sum: { checkpointBytes: true } });
      const snapshots = await tx.volumeSnapshot.aggregate({ where: { tenantId }, _sum: { storedBytes: true } });
      return Number(sums.checkpointBytes ?? 0) + Number(snapshots._sum.storedBytes ?? 0);
    },
    remedy: "delete checkpoints, snapshots or pods",
  },
} as const satisfies Record<string, CountedQuota>;
