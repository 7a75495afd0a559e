import { z } from "zod";
import { GPU_MODELS } from "../../core/prices/gpu-models";
import { REGIONS } from "./regions";

const poolFields = {
  region: z.enum(REGIONS),
  gpu: z.enum(GPU_MODELS),
  simulated: z
    .boolean()
    .describe("true: its GPUs exist in records only; false: they are real, and pods of live keys get them"),
  nodes: z.int(),
  gpus: z.int().describe("Of nodes that accept pods, and of those that do not"),
  used_gpus: z.int().describe("GPUs that pods hold, of all tenants"),
  spot_gpus: z.int().describe("Of the used ones, those that spot pods hold"),
  free_gpus: z.int().describe("GPUs of nodes that accept pods which no pod holds"),
  largest_free: z.int().describe("The most free GPUs on one node, and so the largest pod that fits now"),
  scattered_gpus: z
    .int()
    .describe("Free GPUs on nodes that are partly in use: no pod that needs a whole node can have them"),
};

/** The GPUs of one model in one region. */
export const GpuPool = z.object(poolFields).meta({ id: "GpuPool" });
export type GpuPool = z.infer<typeof GpuPool>;

export const DEVICE_USES = ["free", "own", "other", "unavailable"] as const;

const PoolDevice = z.object({
  use: z
    .enum(DEVICE_USES)
    .describe(
      "`own`: held by a pod that the caller can read; `other`: by another pod; `unavailable`: no pod gets it, because its node does not report it or reports an error",
    ),
  spot: z.boolean(),
  pod_id: z.string().nullable().describe("Only of own pods"),
});
export type PoolDevice = z.infer<typeof PoolDevice>;

const PoolNode = z.object({
  name: z.string(),
  domain: z.string().nullable().describe("The NVLink domain that it shares with other nodes, such as an NVL72 rack"),
  accepts_pods: z.boolean().describe("false: it is cordoned"),
  draining: z.boolean().describe("true: it is cordoned, and the pods on it are ended with notice"),
  devices: z.array(PoolDevice).describe("By device number, from 0"),
});
export type PoolNode = z.infer<typeof PoolNode>;

const PoolUpgrade = z.object({
  target_version: z.string().nullable().describe("null: joined nodes are to run the program that is on their disk"),
  strategy: z.enum(["rolling", "blue_green"]),
  max_unavailable: z.int().describe("How many nodes may accept no pods when the upgrade closes one more"),
  state: z.enum(["running", "paused"]),
  nodes: z.int(),
  upgraded_nodes: z.int(),
});
export type PoolUpgrade = z.infer<typeof PoolUpgrade>;

const GangKeepOut = z.object({
  since: z.iso.datetime(),
  starts_by: z.iso.datetime().describe("When the pods that hold GPUs of these nodes have ended at the latest"),
  nodes: z.array(z.object({ name: z.string(), gpus: z.int().describe("GPUs that the gang gets there") })),
  missing_gpus: z.int().describe("Of these GPUs, those that pods hold which the gang has to wait for"),
  gang: z.string().nullable().describe("Its name, if the caller can read its pods"),
});
export type GangKeepOut = z.infer<typeof GangKeepOut>;

const PoolPoint = z.object({
  start: z.iso.datetime(),
  used: z.number().describe("Mean of used GPUs, in percent of all"),
  scattered: z.number().describe("Mean of scattered GPUs, in percent of all"),
});

const PoolWarmth = z.object({
  warm_images: z.int().describe("Images of pods of this pool, of all tenants, that a node keeps ready now"),
  hit_rate: z
    .number()
    .nullable()
    .describe("Share of starts for which nothing was pulled, 0 to 1; null without samples"),
  boot_seconds: z
    .object({ p50: z.number(), p99: z.number() })
    .nullable()
    .describe(
      "From the assignment of capacity until the process ran, the pull of the image included; null without samples",
    ),
  samples: z.int().describe("Starts of all tenants whose node reported what it pulled"),
  own_images: z
    .array(z.object({ image: z.string(), ready: z.boolean() }))
    .describe(
      "Images of pods that the caller can read, the most started first, at most 50; none that need credentials",
    ),
});
export type PoolWarmth = z.infer<typeof PoolWarmth>;

/** A pool with its nodes, and its use over time. */
export const GpuPoolPicture = z
  .object({
    ...poolFields,
    warm: PoolWarmth.describe("How fast pods started in the last seven days"),
    upgrade: PoolUpgrade.nullable().describe(
      "The upgrade of its nodes that has not ended: simulated for simulated nodes; agents of joined nodes are restarted, and its nodes may then be in other pools too",
    ),
    gang_keep: GangKeepOut.nullable().describe(
      "Nodes whose GPUs, as they become free, are kept for a gang that has waited; null: none",
    ),
    node_list: z.array(PoolNode),
    history: z
      .array(PoolPoint)
      .describe(
        "The last seven days by the hour, measured every five minutes; hours without a measurement are left out",
      ),
  })
  .meta({ id: "GpuPoolPicture" });
export type GpuPoolPicture = z.infer<typeof GpuPoolPicture>;
