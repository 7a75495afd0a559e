import { z } from "zod";
import type { Sandbox as SandboxRow } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import type { StoredPod } from "../pod-records/stored-pod";
import { Pod, type PodCtx, toPod } from "../pods/pod";

export const SANDBOX_ID_PREFIX = "sbx";
export const SANDBOX_STATUSES = ["starting", "running", "ended"] as const;
export type SandboxStatus = (typeof SANDBOX_STATUSES)[number];

const { project_id, mode, image, registry_credentials, env, runtime, price_per_hour, currency } = Pod.shape;

/** A sandbox. Values of secrets are never in it. */
export const Sandbox = z
  .object({
    id: z.string().meta({ examples: ["sbx_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id,
    mode,
    name: z.string(),
    status: z.enum(SANDBOX_STATUSES),
    status_reason: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe("Why it waits or has ended: `command_ended`, `timed_out`, `start_failed`, `image_not_found`, …"),
    image,
    registry_credentials,
    command: z.array(z.string()).nullable().describe("What ran when it had started; null: nothing"),
    env,
    cpu: z.int(),
    memory_mb: z.int(),
    timeout_seconds: z.int(),
    keep_alive: z.boolean().describe("Whether it stays when its command has ended"),
    exit_code: z.int().nullable().describe("Of the command; null: it has not ended, or a signal ended it"),
    signal: z.string().nullable().describe("What ended the command instead"),
    timed_out: z.boolean().nullable().describe("Whether the command was ended because of `timeout_seconds`"),
    stdout: z
      .string()
      .nullable()
      .describe(
        "Of the command as text, for 24 hours after its end; null in lists. Bytes that are not UTF-8 are shown as U+FFFD",
      ),
    stderr: z.string().nullable(),
    truncated: z.boolean().nullable().describe("Whether the command wrote more than 1 MiB; the rest is dropped"),
    runtime,
    metered_seconds: z.int().describe("Seconds in which it ran; each that has begun counts"),
    price_per_hour,
    cost: z.string().describe("What the metered seconds cost so far, a decimal number in `currency`"),
    currency,
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    expires_at: z.iso
      .datetime()
      .describe("When it is ended at the latest: `timeout_seconds` after its start, or 15 minutes later if it waits"),
  })
  .meta({ id: "Sandbox" });
export type Sandbox = z.infer<typeof Sandbox>;

/** What the command wrote. */
export interface CommandOutput {
  stdout: string;
  stderr: string;
  truncated: boolean;
}

/** A sandbox as it is stored, with or without the output of its command. */
export interface StoredSandbox {
  pod: StoredPod;
  row: Omit<SandboxRow, "output"> & { output?: SandboxRow["output"] };
}

/** A sandbox as the API shows it now. */
export function toSandbox({ pod: stored, row }: StoredSandbox, ctx: PodCtx): Sandbox {
  const pod = toPod(stored, ctx);
  const output = row.output ? readOutput(row.output) : undefined;
  return {
    id: pod.id,
    project_id: pod.project_id,
    mode: pod.mode,
    name: pod.name,
    status: statusOf(stored),
    status_reason: pod.status_reason,
    image: pod.image,
    registry_credentials: pod.registry_credentials,
    command: row.command as string[] | null,
    env: pod.env,
    cpu: pod.cpu,
    memory_mb: pod.memory_mb,
    timeout_seconds: stored.secondsMax ?? 0,
    keep_alive: row.keepAlive,
    exit_code: row.exitCode,
    signal: row.exitSignal,
    timed_out: row.timedOut,
    stdout: output?.stdout ?? null,
    stderr: output?.stderr ?? null,
    truncated: output?.truncated ?? null,
    runtime: pod.runtime,
    metered_seconds: pod.metered_seconds,
    price_per_hour: pod.price_per_hour,
    cost: pod.cost,
    currency: pod.currency,
    created_at: pod.created_at,
    started_at: pod.started_at,
    ended_at: (stored.stoppedAt ?? stored.stopRequestedAt)?.toISOString() ?? null,
    expires_at: pod.expires_at,
  };
}

/** A sandbox whose processes are being killed accepts nothing more. */
export function statusOf({ status }: Pick<StoredPod, "status">): SandboxStatus {
  if (status === "pending") return "starting";
  return status === "ready" || status === "reclaiming" ? "running" : "ended";
}

/** PostgreSQL has no text with NUL characters. */
export const storedOutput = (output: CommandOutput): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(JSON.stringify(output)));

const readOutput = (stored: Uint8Array): CommandOutput => JSON.parse(Buffer.from(stored).toString()) as CommandOutput;

export const sandboxTarget = targetOf("sandbox");
