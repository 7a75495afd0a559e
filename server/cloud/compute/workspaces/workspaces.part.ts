import type { Part } from "../../../identity/part";
import { type StartWorkspaces, startWorkspaces } from "./start-workspaces";
import { workspaceEventKinds } from "./workspace.events";
import { createWorkspaceHosts, type WorkspaceHosts } from "./workspace-hosts";
import { WORKSPACE_QUOTAS } from "./workspaces.quotas";
import { workspaceRoutes } from "./workspaces.routes";
import { workspaceTools } from "./workspaces.tools";

interface Needs extends StartWorkspaces {
  config: {
    roles: ReadonlySet<string>;
    /** The domain below which each workspace has a host; undefined: there is none. */
    workspacesDomain: string | undefined;
  };
}

interface Gives {
  /** The origins of workspaces; undefined: they have none, and their editor is that of the dashboard. */
  workspaceHosts: WorkspaceHosts | undefined;
}

/** Workspaces; workers stop those that are not used. */
export const workspacesPart: Part<Needs, Gives, typeof workspaceRoutes> = {
  name: "workspaces",
  routes: [workspaceRoutes],
  tools: workspaceTools,
  eventKinds: workspaceEventKinds,
  quotas: Object.values(WORKSPACE_QUOTAS),
  start: ({ db, sql, clock, currency, publicUrl, alarms, config }) => {
    const rounds = config.roles.has("worker")
      ? startWorkspaces({ db, sql, clock, currency, publicUrl, alarms })
      : undefined;
    return {
      gives: { workspaceHosts: createWorkspaceHosts(publicUrl, config.workspacesDomain) },
      stop: () => rounds?.stop(),
    };
  },
};
