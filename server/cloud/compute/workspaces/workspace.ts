import { z } from "zod";
import type { PodStatus, Workspace as WorkspaceRow } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import type { StoredPod } from "../pod-records/stored-pod";
import { Pod, type PodCtx, toPod } from "../pods/pod";

/** Where its files are that stay. */
export const WORKSPACE_FOLDER = "/workspace";
export const WORKSPACE_STATUSES = ["starting", "running", "stopping", "stopped", "failed"] as const;
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

const { project_id, mode, image, volume, runtime, price_per_hour, currency } = Pod.shape;

export const Workspace = z
  .object({
    id: z.string().meta({ examples: ["wsp_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id,
    mode,
    name: z.string(),
    status: z.enum(WORKSPACE_STATUSES),
    status_reason: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe("Why it waits, was stopped or has failed: `idle`, `stop_requested`, `image_not_found`, …"),
    editor: z
      .enum(["code-server", "built-in"])
      .nullable()
      .describe(
        "What edits its files in the browser: code-server if the image has it, else the editor of the dashboard; null: it has not run since its last start",
      ),
    url: z.url().describe("The page that opens it, for people who are logged in"),
    image,
    cpu: z.int(),
    memory_mb: z.int(),
    volume: volume.unwrap().describe("Its disk, whose files stay until it is deleted"),
    idle_timeout_seconds: z.int().describe("It is stopped when it was not used for so long; 0: never"),
    last_used_at: z.iso.datetime(),
    runtime,
    metered_seconds: z.int().describe("Seconds in which it ran, over all starts; each that has begun counts"),
    price_per_hour,
    cost: z.string().describe("What the metered seconds cost so far, a decimal number in `currency`"),
    currency,
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable().describe("When it last started to run"),
    stopped_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Workspace" });
export type Workspace = z.infer<typeof Workspace>;

/** A workspace as it is stored. */
export interface StoredWorkspace {
  pod: StoredPod;
  row: WorkspaceRow;
}

/** A workspace as the API shows it now. */
export function toWorkspace({ pod: stored, row }: StoredWorkspace, ctx: PodCtx): Workspace {
  const pod = toPod(stored, ctx);
  return {
    id: pod.id,
    project_id: pod.project_id,
    mode: pod.mode,
    name: pod.name,
    status: STATUS_OF[stored.status],
    status_reason: pod.status_reason,
    editor: editorOf({ pod: stored, row }),
    url: `${ctx.publicUrl}/cloud/workspaces/${pod.id}`,
    image: pod.image,
    cpu: pod.cpu,
    memory_mb: pod.memory_mb,
    volume: pod.volume ?? { mount_path: WORKSPACE_FOLDER, size_gb: 0, size_enforced: null },
    idle_timeout_seconds: row.idleTimeoutSeconds,
    last_used_at: row.lastUsedAt.toISOString(),
    runtime: pod.runtime,
    metered_seconds: pod.metered_seconds,
    price_per_hour: pod.price_per_hour,
    cost: pod.cost,
    currency: pod.currency,
    created_at: pod.created_at,
    started_at: pod.started_at,
    stopped_at: pod.stopped_at,
  };
}

const STATUS_OF: Readonly<Record<PodStatus, WorkspaceStatus>> = {
  pending: "starting",
  ready: "running",
  reclaiming: "running",
  stopping: "stopping",
  stopped: "stopped",
  completed: "stopped",
  failed: "failed",
};

/** The statuses of pods that a status of workspaces means. */
export const storedStatuses = (status: WorkspaceStatus): PodStatus[] =>
  (Object.keys(STATUS_OF) as PodStatus[]).filter((one) => STATUS_OF[one] === status);

/** What was found in the current run; null: nobody has looked. */
export function editorOf({ pod, row }: StoredWorkspace): Workspace["editor"] {
  if (row.editor === null || row.editorRun !== pod.runNumber) return null;
  return row.editor === "code_server" ? "code-server" : "built-in";
}

export const workspaceTarget = targetOf("workspace");
