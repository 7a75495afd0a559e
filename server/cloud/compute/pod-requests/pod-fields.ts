import { z } from "zod";
import { PROXY_PORT } from "../../../engines/runtime/network/proxy-port";
import { parseImageReference } from "../../../engines/runtime/oci/image-reference";
import { RuntimeError } from "../../../engines/runtime/runtime";
import { RESERVED_PATHS, volumePathProblem } from "../../../engines/runtime/volume-path";
import { IdText, NameText } from "../../../identity/wire-text";
import { GPU_MODELS, type GpuModel } from "../../core/prices/gpu-models";
import { refersTo } from "../../core/references/reference-fields";
import { SecretRef } from "../../data/secrets/resolve-secret";
import { PodMounts } from "../../data/volumes/pod-mounts";
import { FLEET, GPU_ALIASES } from "../pools/fleet";
import { REGIONS } from "../pools/regions";

/** What registries accept as a name; a colon would end it in `Authorization`. */
const USERNAME = /^[^:\p{Cc}]{1,255}$/u;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const VARIABLES_MAX = 200;
/** What the runtime accepts in all. */
const ENV_BYTES_MAX = 64 * 1024;
const ARGUMENTS_MAX = 1000;
const COMMAND_BYTES_MAX = 64 * 1024;
const LABELS_MAX = 50;
const LABEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/;
const LABEL_VALUE = /^[A-Za-z0-9._/ -]{0,255}$/;
const GANG_PODS_MAX = 64;
const PORTS_MAX = 8;
const PORT_MAX = 65_535;
const VOLUME_GB_MAX = 1024;
export const CPU_MAX = 256;
export const MEMORY_MB_MIN = 64;
export const MEMORY_MB_MAX = 4 * 1024 * 1024;
export const GPU_COUNT_MAX = Math.max(...Object.values(FLEET).map(({ gpusPerNode }) => gpusPerNode));

const GPU_NAMES = [...GPU_MODELS, ...Object.keys(GPU_ALIASES)] as [string, ...string[]];
const withoutNul = (text: string): boolean => !text.includes("\0");

const EnvValue = z.union([z.string().refine(withoutNul, "expected text without NUL characters"), SecretRef]);
export type EnvValue = z.infer<typeof EnvValue>;
export type PodEnv = Record<string, EnvValue>;

const Env = z
  .record(
    z.string().regex(VARIABLE_NAME, "expected a name of letters, digits and _, not beginning with a digit"),
    EnvValue,
  )
  .refine((env) => Object.keys(env).length <= VARIABLES_MAX, `expected at most ${VARIABLES_MAX} variables`)
  .refine((env) => bytesOf(Object.entries(env).flat()) <= ENV_BYTES_MAX, "expected at most 64 KiB in all");

export const Labels = z
  .record(
    z.string().regex(LABEL_NAME, "expected 1 to 63 characters of A-Z a-z 0-9 . _ / -"),
    z.string().regex(LABEL_VALUE, "expected at most 255 characters of A-Z a-z 0-9 . _ / - and spaces"),
  )
  .refine((labels) => Object.keys(labels).length <= LABELS_MAX, `expected at most ${LABELS_MAX} labels`);

const bytesOf = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === "string" ? Buffer.byteLength(value) : 0), 0);

/** The fields of a pod that a client sends, without defaults. */
export const podFields = {
  image: z
    .string()
    .superRefine((text, issue) => {
      const problem = imageProblem(text);
      if (problem !== undefined) issue.addIssue({ code: "custom", message: problem });
    })
    .describe("The container image, as in `docker pull`: `ghcr.io/owner/name:tag`, `registry:5000/name@sha256:…`")
    .meta({ examples: ["ghcr.io/example/train:2"] }),
  registry_credentials: z
    .strictObject({
      username: z.string().regex(USERNAME, "expected 1 to 255 characters without colons and control characters"),
      password: SecretRef,
    })
    .describe(
      'For a private image: a username of its registry, and `{ "secret": "name" }` for the password or token, which requires the scope `secrets:reveal`. They are read at each start, sent only to that registry and the token server that it names, and never reach the pod',
    ),
  name: NameText.describe("For people; default: made from the id"),
  gpu: z
    .enum(GPU_NAMES)
    .describe(
      `GPU model; absent: no GPU. \`${Object.keys(GPU_ALIASES).join("`, `")}\` are spellings of gb200 and gb300`,
    ),
  gpu_count: z
    .int()
    .min(1)
    .max(GPU_COUNT_MAX)
    .describe(
      `Number of GPUs, on one node: 1 to ${GPU_COUNT_MAX}, at most 4 for gb200 and gb300; default 1 with \`gpu\``,
    ),
  spot: z
    .boolean()
    .describe("Spot GPUs: 40 to 60 % cheaper, and reclaimed with 30 seconds of notice when others need them"),
  auto_resume: z
    .boolean()
    .describe("After a reclaim the pod waits for capacity and runs again; only spot pods have it"),
  gang: z
    .strictObject({
      name: NameText.describe("Unique in the project and mode while pods of the gang wait or run"),
      size: z.int().min(2).max(GANG_PODS_MAX).describe(`Pods of the gang: 2 to ${GANG_PODS_MAX}`),
    })
    .describe(
      "Pods that are placed together or not at all, such as the workers of one training. They have the same gang, GPUs, region, `cpu`, `memory_mb`, `spot`, `auto_resume` and `reservation_id`, and wait until `size` of them exist",
    ),
  reservation_id: IdText.min(1).describe(
    "An active reservation of the tenant: the pod runs on its GPUs, which are paid for with it; default of `gpu` and `region`",
  ),
  region: z.enum(REGIONS).describe("Region of the GPUs; default use. Pods without GPUs have none"),
  command: z
    .array(z.string().refine(withoutNul, "expected text without NUL characters"))
    .min(1)
    .max(ARGUMENTS_MAX)
    .refine((command) => bytesOf(command) <= COMMAND_BYTES_MAX, "expected at most 64 KiB in all")
    .describe("The program and its arguments, instead of the ENTRYPOINT and CMD of the image"),
  env: Env.describe(
    'Environment variables: a value, or `{ "secret": "name" }` for the value of a secret, which requires the scope `secrets:reveal`',
  ),
  cpu: z.int().min(1).max(CPU_MAX).describe("The most CPU cores that the pod can use"),
  memory_mb: z
    .int()
    .min(MEMORY_MB_MIN)
    .max(MEMORY_MB_MAX)
    .describe("Memory in MiB; a process that exceeds it is ended by the kernel"),
  ports: z
    .array(
      z
        .int()
        .min(1)
        .max(PORT_MAX)
        .refine((port) => port !== PROXY_PORT, `expected another port; the proxy of svc listens on ${PROXY_PORT}`),
    )
    .max(PORTS_MAX)
    .refine((ports) => new Set(ports).size === ports.length, "expected each port once")
    .describe(
      `TCP ports of HTTP servers in the pod, which are reached at the \`url\` of the record's \`ports\`: 1 to ${PORT_MAX}, at most ${PORTS_MAX}. The servers listen on 127.0.0.1 or on all addresses`,
    ),
  volume: z
    .strictObject({
      mount_path: z
        .string()
        .superRefine((path, issue) => {
          const problem = volumePathProblem(path);
          if (problem !== undefined) issue.addIssue({ code: "custom", message: problem });
        })
        .default("/workspace")
        .describe(
          `Where the pod has it: an absolute path. Not ${RESERVED_PATHS.join(", ")}, where svc mounts its own, and neither above nor below one of them`,
        ),
      size_gb: z.int().min(1).max(VOLUME_GB_MAX).describe(`1 to ${VOLUME_GB_MAX} GiB`),
    })
    .describe(
      'A disk of the pod, such as `{ "size_gb": 50, "mount_path": "/workspace" }`, whose files stay when it stops, starts, is reclaimed or runs on another node; it is in the checkpoints, and is deleted with the pod',
    ),
  network: z
    .string()
    .regex(/^res_[0-9a-z]{26}(\/[a-z][a-z0-9-]{0,31})?$/, "expected the id of a vpc, or of one of its subnets")
    .describe(
      "A private network of the project: the id of a vpc (its first subnet), or of a subnet, such as `res_…/default`. Its pods reach each other; it reaches public addresses only while its vpc has a nat",
    )
    .meta(refersTo([{ service: "net", kind: "vpc" }], { hasParts: true })),
  volumes: PodMounts,
  labels: Labels.describe(
    "`job: training` makes the end of a run a `training.run.completed` or `training.run.failed` event",
  ),
};

export const podChoice = { id: IdText.min(1).describe("The id of the pod") };

/** Names a checkpoint of a pod. */
export const checkpointChoice = { ...podChoice, checkpoint_id: IdText.min(1).describe("The id of the checkpoint") };

export const modelOf = (gpu: string): GpuModel => GPU_ALIASES[gpu] ?? (gpu as GpuModel);

function imageProblem(text: string): string | undefined {
  try {
    parseImageReference(text);
    return undefined;
  } catch (cause) {
    if (cause instanceof RuntimeError) return `expected an image name; ${cause.message}`;
    throw cause;
  }
}
