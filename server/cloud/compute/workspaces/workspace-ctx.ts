import type { PodsCtx } from "../pods/pods-ctx";
import type { WorkspaceHosts } from "./workspace-hosts";

export interface WorkspaceCtx extends PodsCtx {
  /** The origins of workspaces; undefined: they have none, and their editor is that of the dashboard. */
  workspaceHosts: WorkspaceHosts | undefined;
}
