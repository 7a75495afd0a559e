import type { Outputs } from "../../../trpc/client";

export type Workspace = Outputs["getWorkspace"];

/** In the order of a workspace's life. */
export const WORKSPACE_STATUSES = ["starting", "running", "stopping", "stopped", "failed"] as const;

export const STATUS_TONES = {
  starting: "warn",
  running: "good",
  stopping: "warn",
  stopped: "neutral",
  failed: "bad",
} as const;

/** Whether its status changes by itself soon. */
export const isChanging = ({ status }: Workspace): boolean => status === "starting" || status === "stopping";

export const canStart = ({ status }: Workspace): boolean => status === "stopped" || status === "failed";

export const editorText = ({ editor }: Workspace): string =>
  editor === null ? "–" : editor === "code-server" ? "code-server" : "Built-in editor";

/** What the workspace does, and why. */
export function stateText({ status, status_reason, idle_timeout_seconds: idle }: Workspace): string {
  const reason = status_reason?.message;
  switch (status) {
    case "starting":
      return reason ? `It waits: ${reason}` : "svc pulls the image and then starts it.";
    case "running":
      return idle === 0 ? "It runs until you stop it." : `It runs, and is stopped after ${idle} s without use.`;
    case "stopping":
      return "Its programs are being ended.";
    case "stopped":
      return `${reason ?? "It is stopped."} Its files stay, and it costs nothing.`;
    case "failed":
      return reason ?? "It has failed.";
  }
}

export const deletionOf = ({ name }: Pick<Workspace, "name">) => ({
  title: `Delete ${name}?`,
  consequence: "Everything in it is killed, and its disk with all files is deleted. This cannot be undone.",
  action: "Delete workspace",
});
