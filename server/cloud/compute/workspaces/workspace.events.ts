import { type EventKind, eventKind } from "../../../operation/event-kind";
import { Workspace } from "./workspace";
import { stoppedWorkspaceExample, workspaceExample } from "./workspace.example";

const kind = (type: string, description: string, example: Workspace) =>
  eventKind({ type, description, data: Workspace, example });

export const workspaceCreated = kind("workspace.created", "A workspace was created.", {
  ...workspaceExample,
  status: "starting",
  editor: null,
  started_at: null,
  runtime: null,
});
export const workspaceStarted = kind("workspace.started", "A workspace runs.", workspaceExample);
export const workspaceStopped = kind(
  "workspace.stopped",
  "A workspace no longer runs: it was stopped, was not used for its idle time-out, or has failed. Its files stay.",
  stoppedWorkspaceExample,
);
export const workspaceDeleted = kind(
  "workspace.deleted",
  "A workspace was deleted with its files.",
  stoppedWorkspaceExample,
);

export const workspaceEventKinds: readonly EventKind[] = [
  workspaceCreated,
  workspaceStarted,
  workspaceStopped,
  workspaceDeleted,
];
