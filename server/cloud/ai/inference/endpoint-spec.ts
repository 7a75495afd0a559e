import { createHash } from "node:crypto";
import { z } from "zod";
import type { Mode } from "../../../operation/actor";
import { GPU_SKU_NAMES, GPU_SKUS } from "../../compute/instances/instance-skus";
import { podFields } from "../../compute/pod-requests/pod-fields";
import { sealed } from "../../core/specs/sealed-fields";
import { SecretRef } from "../../data/secrets/resolve-secret";
import { defaultsOf, ENGINES, type Engine, type EngineProgram, engineOf, loadsTensorizer, programOf } from "./engines";

export const REPLICAS_MAX = 8;
const URI_LENGTH_MAX = 2000;
const DAY_SECONDS = 86_400;

export const EndpointSpec = z
  .strictObject({
    model: z
      .string()
      .regex(/^[A-Za-z0-9._/:@-]{1,200}$/, "expected 1 to 200 characters of A-Z a-z 0-9 . _ / : @ -")
      .refine((model) => !model.startsWith("-"), "must not begin with -")
      .describe("The name of the model in its engine, such as meta-llama/Llama-3.1-8B-Instruct"),
    engine: z
      .enum(ENGINES)
      .optional()
      .describe("Default: vllm in live mode, and test with a test key. test is no model: it repeats what it receives"),
    gpu_sku: z.enum(GPU_SKU_NAMES).describe("The GPUs of each replica"),
    gpu_count: podFields.gpu_count.default(1).describe("GPUs of each replica"),
    min_replicas: z
      .int()
      .min(0)
      .max(REPLICAS_MAX)
      .default(1)
      .describe("0: no replica runs while there are no requests, and the next request waits until one has started"),
    max_replicas: z.int().min(1).max(REPLICAS_MAX).default(1),
    target_concurrency: z.int().min(1).max(256).default(8).describe("Requests of one replica at a time"),
    scale_down_seconds: z
      .int()
      .min(1)
      .max(DAY_SECONDS)
      .default(300)
      .describe("How long fewer replicas must be enough before some end"),
    tensorizer_uri: sealed(
      z
        .string()
        .max(URI_LENGTH_MAX)
        .regex(/^(s3|https?):\/\/[^\s]+$/, "expected a URL that begins with s3://, http:// or https://")
        .optional()
        .describe("Tensors that the engine vllm loads in place of the weights of the model"),
      "query",
    ),
    hf_token: SecretRef.optional().describe(
      'The token with which engines download gated models of Hugging Face: `{ "secret": "name" }`, which requires the scope `secrets:reveal`',
    ),
    image: podFields.image.optional().describe("Default: the public image of the engine"),
    registry_credentials: podFields.registry_credentials.optional(),
    region: podFields.region.default("use"),
    purchase_option: z
      .enum(["on_demand", "spot"])
      .default("on_demand")
      .describe("Sets the price; a spot replica that is reclaimed is replaced"),
    cpu: podFields.cpu.optional().describe("Cores of each replica; the default depends on the engine"),
    memory_mb: podFields.memory_mb.optional().describe("MiB of each replica; the default depends on the engine"),
  })
  .superRefine((spec, issue) => {
    const fail = (path: string, message: string) => issue.addIssue({ code: "custom", path: [path], message });
    if (spec.min_replicas > spec.max_replicas) fail("max_replicas", "expected at least min_replicas");
    if (spec.tensorizer_uri !== undefined && spec.engine !== undefined && !loadsTensorizer(spec.engine))
      fail("tensorizer_uri", "only the engine vllm loads it; omit it");
  });
export type EndpointSpec = z.output<typeof EndpointSpec>;

/** What each replica of an endpoint is. */
export interface ReplicaProgram extends Omit<EngineProgram, "env"> {
  env: Record<string, string | z.output<typeof SecretRef>>;
  registryCredentials: z.output<typeof podFields.registry_credentials> | undefined;
  engine: Engine;
  image: string;
  cpu: number;
  memoryMb: number;
  gpu: (typeof GPU_SKUS)[keyof typeof GPU_SKUS];
  gpuCount: number;
  region: EndpointSpec["region"];
  spot: boolean;
}

/** The name that requests have for the model of an endpoint. */
export const modelNameOf = (name: string): string => `inference/${name}`;

export function replicaProgram(spec: EndpointSpec, mode: Mode): ReplicaProgram {
  const engine = engineOf(spec.engine, mode);
  const { model, gpu_count: gpuCount, tensorizer_uri: tensorizerUri, region } = spec;
  const { image, cpu, memoryMb } = defaultsOf(engine);
  const { env, ...program } = programOf(engine, { model, gpuCount, tensorizerUri });
  return {
    ...program,
    env: { ...env, ...(spec.hf_token && { HF_TOKEN: spec.hf_token }) },
    registryCredentials: spec.registry_credentials,
    engine,
    image: spec.image ?? image,
    cpu: spec.cpu ?? cpu,
    memoryMb: spec.memory_mb ?? memoryMb,
    gpu: GPU_SKUS[spec.gpu_sku],
    gpuCount,
    region,
    spot: spec.purchase_option === "spot",
  };
}

/** Equal for replicas that need not be replaced. */
export const hashOf = (program: ReplicaProgram): string =>
  createHash("sha256").update(JSON.stringify(program)).digest("hex");
