import { z } from "zod";
import { ref } from "../../core/references/reference-fields";
import { GPU_SKU_NAMES } from "../instances/instance-skus";
import { podFields } from "../pod-requests/pod-fields";
import { LabelMap, Taints } from "./node-labels";

const SUBNETS_MAX = 16;
const TAGS_MAX = 50;
/** Nodes of one group. */
export const NODES_MAX = 64;

/** A cluster. */
export const ClusterSpec = z.strictObject({
  version: z
    .string()
    .regex(/^1\.[0-9]{2}$/, "expected a version of Kubernetes such as 1.34")
    .optional()
    .describe("Default: that of the Kubernetes in which clusters are made, which is the only one"),
  subnets: z
    .array(ref({ service: "net" }, { allowsPlaceholder: true }))
    .max(SUBNETS_MAX)
    .refine((ids) => new Set(ids).size === ids.length, "expected each id once")
    .default([])
    .describe("Ids of resources of the service net; they are checked and kept, pods of a cluster are not in them"),
  ami_type: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,60}$/, "expected 1 to 60 characters of A-Z a-z 0-9 _ . -")
    .optional()
    .describe("The image of nodes that you expect; it is kept, and nodes have the image that their operator chose"),
  tags: LabelMap.default({})
    .refine((tags) => Object.keys(tags).length <= TAGS_MAX, `expected at most ${TAGS_MAX} tags`)
    .describe("Names and values of your own, with the characters of Kubernetes' labels"),
});
export type ClusterSpec = z.output<typeof ClusterSpec>;

const size = z.int().min(0).max(NODES_MAX);

/** Nodes of a cluster. */
export const NodeGroupSpec = z
  .strictObject({
    cluster_id: ref("cks", "cluster", { onDelete: "cascade" }).describe("The rid of a cluster of the service cks"),
    sku: z.enum(GPU_SKU_NAMES).describe("The GPUs of each node; each has all that a node with them has"),
    desired_size: size.default(1).describe("How many nodes there are"),
    min_size: size.default(0).describe("desired_size is at least this"),
    max_size: size.default(NODES_MAX).describe("desired_size is at most this"),
    purchase_option: z
      .enum(["on_demand", "spot", "reserved_1y", "reserved_3y"])
      .default("on_demand")
      .describe("GPUs of on_demand groups count against the GPU limit of the tenant"),
    labels: LabelMap.default({}).describe("As Kubernetes' labels of nodes"),
    taints: Taints.default([]).describe("As Kubernetes' taints of nodes: {key, value, effect}"),
    region: podFields.region.default("use"),
  })
  .superRefine(({ desired_size: desired, min_size: min, max_size: max }, issue) => {
    const fail = (path: string, message: string) => issue.addIssue({ code: "custom", path: [path], message });
    if (min > max) fail("max_size", `expected at least min_size, which is ${min}`);
    else if (desired < min) fail("desired_size", `expected at least min_size, which is ${min}`);
    else if (desired > max) fail("desired_size", `expected at most max_size, which is ${max}`);
  });
export type NodeGroupSpec = z.output<typeof NodeGroupSpec>;

/** Slurm for a cluster. */
export const SlurmSpec = z.strictObject({
  cluster_id: ref("cks", "cluster", { onDelete: "cascade", allowsPlaceholder: true }).describe(
    "The rid of a cluster of the service cks, or of its placeholder",
  ),
  image: podFields.image
    .optional()
    .describe("An image with Slurm and munge; default: one of the Debian packages of the node that runs it"),
  cpu: podFields.cpu.default(2).describe("Cores of its pod, which all jobs share"),
  memory_mb: podFields.memory_mb.default(1024).describe("MiB of its pod, which all jobs share"),
});
export type SlurmSpec = z.output<typeof SlurmSpec>;
