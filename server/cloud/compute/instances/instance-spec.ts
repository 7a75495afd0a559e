import { z } from "zod";
import { sealed } from "../../core/specs/sealed-fields";
import { PodMounts } from "../../data/volumes/pod-mounts";
import { Labels, podFields } from "../pod-requests/pod-fields";
import { INSTANCE_IMAGES, imageOf } from "./instance-images";
import {
  CPU_SKU_NAMES,
  GPU_SKU_NAMES,
  gpusPerNode,
  INSTANCE_CPU,
  INSTANCE_MEMORY_MB,
  PURCHASE_OPTIONS,
} from "./instance-skus";

const NODE_SIZES = GPU_SKU_NAMES.map((sku) => `${sku} ${gpusPerNode(sku)}`).join(", ");
const USER_DATA_BYTES_MAX = 16 * 1024;

/** An id of the catalogue, or the name of an image as in `docker pull`. */
const ImageId = z
  .string()
  .superRefine((id, issue) => {
    const problem = podFields.image.safeParse(imageOf(id)).error?.issues[0]?.message;
    if (problem !== undefined) issue.addIssue({ code: "custom", message: problem });
  })
  .describe(`An image of the catalogue (${Object.keys(INSTANCE_IMAGES).join(", ")}), or a name as in \`docker pull\``);

const common = {
  image_id: ImageId,
  purchase_option: z
    .enum(PURCHASE_OPTIONS)
    .default("on_demand")
    .describe(
      "Sets the price. A spot instance can be reclaimed with 30 seconds of notice, and waits for capacity again; reserved_1y uses GPUs of a reservation of 365 days, which pays for them",
    ),
  user_data: sealed(
    z
      .string()
      .refine((text) => Buffer.byteLength(text) <= USER_DATA_BYTES_MAX, "expected at most 16 KiB")
      .refine((text) => !text.includes("\0"), "expected text without NUL characters")
      .default("")
      .describe("A shell script, or a program that begins with `#!`, which runs once, at the first start")
      // Forms have several lines for it.
      .meta({ contentMediaType: "text/x-shellscript" }),
  ),
  tags: Labels.default({}).describe("Names and values of your own; they are labels of its pod too"),
  network: podFields.network.optional(),
  ports: podFields.ports
    .default([])
    .describe(
      "TCP ports of its servers that can be reached from outside: at the `url` of the `ports` of its pod, and by a public port (a `net` of kind `eip`). They can change while it runs; no other port is reachable",
    ),
  cpu: podFields.cpu.default(INSTANCE_CPU),
  memory_mb: podFields.memory_mb.default(INSTANCE_MEMORY_MB),
  volumes: PodMounts.default([]),
  registry_credentials: podFields.registry_credentials.optional(),
  running: z.boolean().default(true).describe("false: it is stopped, and costs nothing"),
};

const region = podFields.region.default("use");

/** GPU instances. */
export const GpuSpec = z.strictObject({
  sku: z.enum(GPU_SKU_NAMES),
  gpu_count: podFields.gpu_count.default(1),
  region,
  ...common,
});

/** CPU instances, which are never spot: they take nothing that others wait for. */
export const CpuSpec = z.strictObject({
  sku: z.enum(CPU_SKU_NAMES),
  ...common,
  purchase_option: z.enum(["on_demand", "reserved_1y", "reserved_3y"]).default("on_demand").describe("Sets the price"),
});

/** Baremetal instances: all GPUs of a node. */
export const BaremetalSpec = z.strictObject({
  sku: z.enum(GPU_SKU_NAMES).describe(`Its node has this many GPUs: ${NODE_SIZES}`),
  region,
  ...common,
});

export type GpuSpec = z.output<typeof GpuSpec>;
export type CpuSpec = z.output<typeof CpuSpec>;
export type BaremetalSpec = z.output<typeof BaremetalSpec>;
export type InstanceSpec = GpuSpec | CpuSpec | BaremetalSpec;
