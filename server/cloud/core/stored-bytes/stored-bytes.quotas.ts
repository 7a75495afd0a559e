import type { CountedQuota } from "../../../operation/quota";

export const STORED_BYTES_QUOTAS = {
  stored_bytes: {
    resource: "stored_bytes",
    unit: "bytes",
    description:
      "What everything stored takes together: objects, messages in queues, KV namespaces, SQL databases, volumes, files and output of pods, telemetry, functions and edge functions with their calls and log lines, checkpoints and snapshots, of all projects and both modes. Measured within a minute after something was stored, and at least every 15 minutes",
    defaultLimit: 100 * 1024 ** 3,
    liftable: { min: 0, max: Number.MAX_SAFE_INTEGER },
    used: async (tx, { tenantId }) => {
      const { _sum: sums } = await tx.storedBytes.aggregate({ where: { tenantId }, _sum: { bytes: true } });
      return Math.max(0, Number(sums.bytes ?? 0));
    },
    remedy: "delete what you no longer need",
  },
} as const satisfies Record<string, CountedQuota>;
