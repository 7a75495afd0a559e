import type { Outputs } from "../../../trpc/client";

export type Sandbox = Outputs["getSandbox"];

/** In the order of a sandbox's life. */
export const SANDBOX_STATUSES = ["starting", "running", "ended"] as const;

export const STATUS_TONES = { starting: "warn", running: "good", ended: "neutral" } as const;

/** What the sandbox does, and why. */
export function stateText({ status, status_reason, expires_at }: Sandbox, at: number): string {
  const reason = status_reason?.message;
  if (status === "starting") return reason ? `It waits: ${reason}` : "svc pulls the image and then starts it.";
  if (status === "ended") return reason ?? "It has ended.";
  const seconds = Math.max(0, Math.ceil((Date.parse(expires_at) - at) / 1000));
  return `It runs, and is ended in ${seconds} s.`;
}

/** "exit code 1", "SIGKILL, its time was over". */
export function resultText(result: Pick<Sandbox, "exit_code" | "signal" | "timed_out">): string {
  const how = result.exit_code === null ? (result.signal ?? "not run") : `exit code ${result.exit_code}`;
  return result.timed_out ? `${how}, its time was over` : how;
}

export const deletionOf = ({ name, status }: Pick<Sandbox, "name" | "status">) => ({
  title: `Delete ${name}?`,
  consequence: status === "ended" ? "Its record is deleted." : "Everything in it is killed, and its files are deleted.",
  action: "Delete sandbox",
});
