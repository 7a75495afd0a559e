import type { Prisma } from "../../../engines/postgres/generated/client";
import { COUNTABLE, type QuotaDefinition } from "../../../identity/quotas/quota";

/** The limits of the platform: enough for large accounts, but a stop for runaway clients. */
export const CLOUD_QUOTAS = {
  webhooks: {
    resource: "webhooks",
    unit: "webhooks",
    description: "Webhooks that are not deleted, of all projects and both modes",
    defaultLimit: 100,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.webhook.count({ where: { tenantId, deletedAt: null } }),
    remedy: "delete one",
  },
  chat_upstreams: {
    resource: "chat_upstreams",
    unit: "chat upstreams",
    description: "Upstreams for chat models, of all projects and both modes",
    defaultLimit: 100,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.chatUpstream.count({ where: { tenantId } }),
    remedy: "delete one",
  },
  queues: {
    resource: "queues",
    unit: "queues",
    description: "Queues that are not deleted, of both modes",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.queue.count({ where: { tenantId, deletedAt: null } }),
    remedy: "delete one",
  },
  functions: {
    resource: "functions",
    unit: "functions",
    description: "Functions of all projects and both modes",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.cloudFunction.count({ where: { tenantId } }),
    remedy: "delete one",
  },
  edge_functions: {
    resource: "edge_functions",
    unit: "edge functions",
    description: "Edge functions of all projects and both modes",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.edgeFunction.count({ where: { tenantId } }),
    remedy: "delete one",
  },
  edge_databases: {
    resource: "edge_databases",
    unit: "SQL databases",
    description: "SQL databases of edge functions, of all projects and both modes",
    defaultLimit: 10,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.edgeSqlDatabase.count({ where: { tenantId } }),
    remedy: "bind one that exists, or delete the functions that bind one, which is deleted 7 days later",
  },
  buckets: {
    resource: "buckets",
    unit: "buckets",
    description: "Buckets of object storage, of all projects and both modes",
    defaultLimit: 100,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.bucket.count({ where: { tenantId } }),
    remedy: "delete one",
  },
  storage_bytes: {
    resource: "storage_bytes",
    unit: "bytes",
    description: "Stored bytes of all versions of objects and of the parts of unfinished uploads",
    defaultLimit: 100 * 1024 ** 3,
    // Every number of bytes must be an exact integer.
    liftable: { min: 0, max: Number.MAX_SAFE_INTEGER },
    used: async (tx, { tenantId }) => Number((await usageOf(tx, tenantId)).bytes ?? 0),
    remedy: "delete objects or old versions",
  },
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
  storage_objects: {
    resource: "storage_objects",
    unit: "objects",
    description: "Stored objects; each version of an object counts",
    defaultLimit: 10_000_000,
    liftable: COUNTABLE,
    used: async (tx, { tenantId }) => Number((await usageOf(tx, tenantId)).versions ?? 0),
    remedy: "delete objects or old versions",
  },
  chat_budgets: {
    resource: "chat_budgets",
    unit: "budgets",
    description: "Budgets for chat requests that are not deleted, of both modes",
    defaultLimit: 500,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.chatBudget.count({ where: { tenantId, deletedAt: null } }),
    remedy: "delete one",
  },
  pods: {
    resource: "pods",
    unit: "pods",
    description: "Pods that are not deleted, of all projects and both modes",
    defaultLimit: 500,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.pod.count({ where: { tenantId, kind: "pod", deletedAt: null } }),
    remedy: "delete one",
  },
  sandboxes: {
    resource: "sandboxes",
    unit: "sandboxes",
    description: "Sandboxes and pods of functions that have not ended, of all projects and both modes",
    defaultLimit: 32,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) =>
      tx.pod.count({
        where: { tenantId, kind: { not: "pod" }, status: { in: ["pending", "ready"] }, deletedAt: null },
      }),
    remedy: "delete one, or wait until one has ended",
  },
  workspaces: {
    resource: "workspaces",
    unit: "workspaces",
    description: "Workspaces that are not deleted, of all projects and both modes",
    defaultLimit: 20,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.pod.count({ where: { tenantId, kind: "workspace", deletedAt: null } }),
    remedy: "delete one",
  },
  volume_gb: {
    resource: "volume_gb",
    unit: "GiB of volumes",
    description:
      "Sizes of shared volumes and of those of pods and workspaces that are not deleted, of all projects and both modes",
    defaultLimit: 1024,
    liftable: COUNTABLE,
    used: async (tx, { tenantId }) => {
      const { _sum: sums } = await tx.pod.aggregate({ where: { tenantId, deletedAt: null }, _sum: { volumeGb: true } });
      const shared = await tx.sharedVolume.aggregate({ where: { tenantId }, _sum: { capacityGb: true } });
      return (sums.volumeGb ?? 0) + (shared._sum.capacityGb ?? 0);
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
  shield_scans: {
    resource: "shield_scans",
    unit: "scans",
    description: "Scans of buckets that wait or run, of all projects and both modes",
    defaultLimit: 20,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.shieldScan.count({ where: { tenantId, finishedAt: null } }),
    remedy: "wait for one or cancel it",
  },
  resources: {
    resource: "resources",
    unit: "resources",
    description: "Resources of services, besides placeholders, of all projects and both modes",
    defaultLimit: 10_000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) =>
      tx.resource.count({ where: { tenantId, archivedAt: null, state: { not: "placeholder" } } }),
    remedy: "delete one",
  },
  public_ports: {
    resource: "public_ports",
    unit: "public ports",
    description: "TCP ports of the installation (resources of the kind eip), of all projects and both modes",
    defaultLimit: 50,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) =>
      tx.resource.count({
        where: {
          tenantId,
          plane: "gpuc",
          service: "net",
          kind: "eip",
          archivedAt: null,
          state: { not: "placeholder" },
        },
      }),
    remedy: "delete one",
  },
  secrets: {
    resource: "secrets",
    unit: "secrets",
    description: "Secrets of the tenant and all its projects, of both modes",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.secret.count({ where: { tenantId } }),
    remedy: "delete one",
  },
} as const satisfies Record<string, QuotaDefinition>;

async function usageOf(tx: Prisma.TransactionClient, tenantId: string) {
  const { _sum: sums } = await tx.bucket.aggregate({ where: { tenantId }, _sum: { bytes: true, versions: true } });
  return sums;
}
