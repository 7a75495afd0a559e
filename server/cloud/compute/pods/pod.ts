import { z } from "zod";
import type { Pod as PodRow, PodRun as PodRunRow } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import type { Clock } from "../../../kernel/clock";
import { decimalOf } from "../../../kernel/money";
import { REDACTED } from "../../../kernel/redacted";
import { toWire } from "../../../kernel/to-wire";
import { GPU_MODELS, type GpuModel } from "../../core/prices/gpu-models";
import { costNanos, secondsBetween } from "../../core/prices/pod-cost";
import { SecretRef } from "../../data/secrets/resolve-secret";
import { POD_STATUSES } from "../pod-records/pod-states";
import type { StoredPod } from "../pod-records/stored-pod";
import { REGIONS, type Region } from "../pools/regions";
import { portPath } from "./port-path";

const PodRuntime = z.object({
  kind: z.string().describe("How the process is run, such as `namespaces`"),
  isolation: z.string().describe("What separates it from other workloads and from the node"),
  limits_enforced: z.boolean().describe("Whether all limits are enforced: `cpu`, `memory_mb`, processes and disk"),
  gpu: z
    .enum(["none", "simulated", "nvidia"])
    .describe("`simulated`: GPUs exist in records only, the process has none; `nvidia`: the process has its GPUs"),
});
export type PodRuntime = z.infer<typeof PodRuntime>;

/** A pod. Values of secrets are never in it. */
export const Pod = z
  .object({
    id: z.string().meta({ examples: ["pod_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    name: z.string(),
    status: z.enum(POD_STATUSES),
    status_reason: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe("Why a pod waits, stopped or failed"),
    image: z.string(),
    registry_credentials: z.object({ username: z.string(), password: SecretRef }).nullable(),
    command: z.array(z.string()).nullable().describe("null: the program of the image"),
    env: z.record(z.string(), z.union([z.string(), SecretRef])),
    labels: z.record(z.string(), z.string()),
    spot: z.boolean().describe("true: cheaper, and ended with 30 seconds of notice when its GPUs are needed"),
    auto_resume: z.boolean().describe("true: after a reclaim the spot pod waits for capacity again"),
    reservation_id: z.string().nullable().describe("The reservation whose GPUs it has"),
    gang: z
      .object({ name: z.string(), size: z.int() })
      .nullable()
      .describe("The pods with which it is placed together, or not at all"),
    gpu: z.enum(GPU_MODELS).nullable(),
    gpu_count: z.int(),
    region: z.enum(REGIONS).nullable(),
    cpu: z.int(),
    memory_mb: z.int(),
    ports: z
      .array(z.object({ port: z.int(), url: z.url() }))
      .describe(
        "Where the servers in it are reached: requests to `url`, and to what is below it, are passed to `port`",
      ),
    volume: z
      .object({
        mount_path: z.string(),
        size_gb: z.int(),
        size_enforced: z
          .boolean()
          .nullable()
          .describe("Whether the node of the last run refuses writes beyond the size; null before the first run"),
      })
      .nullable()
      .describe("Its disk that keeps files from run to run"),
    network: z
      .object({ id: z.string(), subnet: z.string(), address: z.string().nullable() })
      .nullable()
      .describe("Its private network, the subnet and, from its first start, its IPv4 address; null: it is in none"),
    volumes: z
      .array(z.object({ volume: z.string(), mount_path: z.string(), read_only: z.boolean() }))
      .describe("The shared volumes that it mounts"),
    simulated: z.boolean().describe("true: the GPUs are simulated; the process is real, and has none"),
    allocation: z
      .object({ pool: z.string(), node: z.string(), devices: z.array(z.int()) })
      .nullable()
      .describe("The GPUs of the current run"),
    runtime: PodRuntime.nullable().describe("What runs it, or ran it last; null before the first run"),
    boot: z
      .object({
        seconds: z
          .number()
          .describe("From the assignment of capacity until the process ran, the pull of the image included"),
        warm: z
          .boolean()
          .nullable()
          .describe("true: the image was on the node; false: some of it was pulled; null: the node does not report it"),
      })
      .nullable()
      .describe("How fast the last run started; null: it has not started"),
    exit: z
      .object({ code: z.int().nullable(), signal: z.string().nullable(), oom_killed: z.boolean() })
      .nullable()
      .describe("How the last run ended: with an exit code or by a signal; null if it runs or did not start"),
    reclaim: z
      .object({ notice_at: z.iso.datetime(), ends_at: z.iso.datetime() })
      .nullable()
      .describe("The notice of a pod that is reclaiming"),
    runs: z.int().describe("How often it was started"),
    metered_seconds: z.int().describe("Seconds in which its process ran, over all runs; each that has begun counts"),
    price_per_hour: z.string().describe("A decimal number in `currency`"),
    cost: z.string().describe("What the metered seconds cost so far, a decimal number in `currency`"),
    currency: z.string(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable().describe("When the process of the last run started"),
    stopped_at: z.iso.datetime().nullable().describe("When the last run ended; null while the pod is active"),
    expires_at: z.iso.datetime().describe("30 days after its creation it is stopped, and cannot be started again"),
  })
  .meta({ id: "Pod" });
export type Pod = z.infer<typeof Pod>;

/** What the record of a pod shows besides its row. */
export interface PodCtx {
  clock: Clock;
  currency: string;
  publicUrl: string;
}

/** Texts of a pod that is part of a resource come from its spec, which does not show them all. */
function shownEnv({ env, resourceId }: Pick<PodRow, "env" | "resourceId">): Pod["env"] {
  const variables = env as Pod["env"];
  if (resourceId === null) return variables;
  const shown = Object.entries(variables).map(([name, value]) => [name, typeof value === "string" ? REDACTED : value]);
  return Object.fromEntries(shown) as Pod["env"];
}

/** A pod as the API shows it now. */
export function toPod(row: StoredPod, { clock, currency, publicUrl }: PodCtx): Pod {
  const seconds = row.meteredSeconds + runningSeconds(row.runs[0], clock.now());
  return toWire(Pod, row, {
    status_reason: row.reasonCode === null ? null : { code: row.reasonCode, message: row.reasonText ?? "" },
    registry_credentials: row.registryCredentials as Pod["registry_credentials"],
    command: row.command as string[] | null,
    env: shownEnv(row),
    labels: row.labels as Pod["labels"],
    gang: row.gangName === null || row.gangSize === null ? null : { name: row.gangName, size: row.gangSize },
    gpu: row.gpu as GpuModel | null,
    region: row.region as Region | null,
    ports: row.ports.map((port) => ({ port, url: `${publicUrl}${portPath({ id: row.id, port })}/` })),
    volume: volumeOf(row),
    network: networkOf(row),
    volumes: row.mounts as Pod["volumes"],
    simulated: row.gpu !== null && row.mode === "test",
    allocation: allocationOf(row.runs[0]),
    runtime: row.runtime as PodRuntime | null,
    boot: bootOf(row.runs[0]),
    exit: exitOf(row),
    reclaim: reclaimOf(row),
    runs: row.runNumber,
    metered_seconds: seconds,
    price_per_hour: decimalOf(row.priceNanosPerHour),
    cost: decimalOf(costNanos(seconds, row.priceNanosPerHour)),
    currency,
  });
}

const volumeOf = ({ volumePath, volumeGb, volumeEnforced }: PodRow): Pod["volume"] =>
  volumePath === null || volumeGb === null
    ? null
    : { mount_path: volumePath, size_gb: volumeGb, size_enforced: volumeEnforced };

const networkOf = ({ networkId, networkSubnet, networkAddress }: PodRow): Pod["network"] =>
  networkId === null ? null : { id: networkId, subnet: networkSubnet ?? "", address: networkAddress };

/** Of a run that has not ended; those that have are counted already. */
const runningSeconds = (run: PodRunRow | undefined, now: Date): number =>
  run?.startedAt && !run.endedAt ? secondsBetween(run.startedAt, now) : 0;

function allocationOf(run: PodRunRow | undefined): Pod["allocation"] {
  if (!run || run.endedAt || run.pool === null || run.node === null) return null;
  return { pool: run.pool, node: run.node, devices: run.devices };
}

function bootOf(run: PodRunRow | undefined): Pod["boot"] {
  // Runs of earlier versions have no time of their assignment.
  if (!run?.startedAt || !run.placedAt) return null;
  // The node may have another clock.
  const ms = Math.max(0, run.startedAt.getTime() - run.placedAt.getTime());
  return { seconds: ms / 1000, warm: run.pulledBytes === null ? null : run.pulledBytes === 0n };
}

function reclaimOf({ status, runs: [run] }: StoredPod): Pod["reclaim"] {
  if (status !== "reclaiming" || !run?.noticeAt || !run.reclaimAt) return null;
  return { notice_at: run.noticeAt.toISOString(), ends_at: run.reclaimAt.toISOString() };
}

const exitOf = ({ exitCode: code, exitSignal: signal, oomKilled }: PodRow): Pod["exit"] =>
  code === null && signal === null ? null : { code, signal, oom_killed: oomKilled };

export const podTarget = targetOf("pod");
