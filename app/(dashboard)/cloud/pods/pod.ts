import { formatMoney } from "../../../format/money";
import type { Outputs } from "../../../trpc/client";

export type Pod = Outputs["getPod"];
export type PodStatus = Pod["status"];

/** In the order of a pod's life. */
export const POD_STATUSES = ["pending", "ready", "reclaiming", "stopping", "stopped", "completed", "failed"] as const;

type Tone = "good" | "warn" | "bad" | "neutral" | "accent";

export const STATUS_TONES: Readonly<Record<PodStatus, Tone>> = {
  pending: "warn",
  ready: "good",
  reclaiming: "warn",
  stopping: "warn",
  stopped: "neutral",
  completed: "accent",
  failed: "bad",
};

/** Whether svc is about to change the status by itself. */
export const isChanging = ({ status }: Pick<Pod, "status">): boolean =>
  status === "pending" || status === "reclaiming" || status === "stopping";

/** Whether a run has not ended. */
export const isActive = (pod: Pick<Pod, "status">): boolean => isChanging(pod) || pod.status === "ready";

/** "2 × H100", or "none". */
export const gpuText = ({ gpu, gpu_count }: Pick<Pod, "gpu" | "gpu_count">): string =>
  gpu === null ? "none" : `${gpu_count} × ${gpu.toUpperCase()}`;

/** "on demand", "spot", "reserved". */
export const purchaseText = ({ spot, reservation_id }: Pick<Pod, "spot" | "reservation_id">): string =>
  reservation_id !== null ? "reserved" : spot ? "spot" : "on demand";

const MICROS_PER_UNIT = 1_000_000;

export const costText = ({ cost, currency }: Pick<Pod, "cost" | "currency">): string =>
  formatMoney(Math.round(Number(cost) * MICROS_PER_UNIT), currency);

/** "exit code 1", "SIGTERM"; undefined while a run has not ended, or if its process never ran. */
export function exitText(exit: Pod["exit"]): string | undefined {
  if (exit === null) return undefined;
  const how = exit.code === null ? exit.signal : `exit code ${exit.code}`;
  return exit.oom_killed ? `${how}, out of memory` : (how ?? undefined);
}

const MS = 1000;

/** The notice of a pod that is reclaimed, at a time in milliseconds since 1970; undefined without one. */
export function noticeText({ reclaim, auto_resume }: Pick<Pod, "reclaim" | "auto_resume">, at: number) {
  if (reclaim === null) return undefined;
  const seconds = Math.max(0, Math.ceil((Date.parse(reclaim.ends_at) - at) / MS));
  const next = auto_resume
    ? "Then it waits for GPUs and continues with its files."
    : "Then it is stopped; its files are kept.";
  return `The notice ends in ${seconds} s. ${next}`;
}

interface StateText {
  tone: "info" | "good" | "warn" | "bad";
  text: string;
}

/** What the pod does, and why. */
export function stateText({ status, status_reason, exit }: Pick<Pod, "status" | "status_reason" | "exit">): StateText {
  const reason = status_reason?.message;
  if (status === "pending") {
    if (reason) return { tone: "warn", text: `It waits: ${reason}` };
    return { tone: "info", text: "svc pulls the image and then starts the process. A large image takes minutes." };
  }
  if (status === "ready") return { tone: "good", text: "The process runs." };
  if (status === "reclaiming") {
    const rest = "Its processes have received the stop signal; what still runs when the notice ends is killed.";
    return { tone: "warn", text: [reason, rest].filter(Boolean).join(" ") };
  }
  if (status === "stopping") {
    return {
      tone: "warn",
      text: [reason, "Its processes have 30 seconds to end; then they are killed."].filter(Boolean).join(" "),
    };
  }
  if (status === "completed") return { tone: "good", text: "The process ended by itself with exit code 0." };
  const how = exitText(exit);
  if (status === "stopped")
    return {
      tone: "info",
      text: [reason, how && `Its process ended with ${how}.`].filter(Boolean).join(" ") || "It is stopped.",
    };
  return { tone: "bad", text: reason ?? "It failed." };
}
