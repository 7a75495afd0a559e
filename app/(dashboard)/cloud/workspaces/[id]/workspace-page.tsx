"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryContent } from "../../../../components/query-content";
import { Alert } from "../../../../components/ui/alert";
import { Badge } from "../../../../components/ui/badge";
import { useTRPC } from "../../../../trpc/client";
import { refreshEvery } from "../../../../trpc/query-client";
import { PageHeader } from "../../../components/page-header";
import { RequireScope, useHasScope } from "../../../components/shell/access";
import { useFollowMode } from "../../../components/shell/mode";
import { ShellSection } from "../../components/terminal/shell-section";
import { isChanging, STATUS_TONES, stateText, type Workspace } from "../workspace";
import { BuiltInEditor } from "./built-in-editor";
import { WorkspaceActions } from "./workspace-actions";
import { WorkspaceDetails } from "./workspace-details";

const CHANGING_MS = 1000;
const STEADY_MS = 10_000;

export const WorkspacePage = ({ id }: { id: string }) => (
  <RequireScope scope="workspaces:read" title="Workspace" what="the workspaces">
    <Page id={id} />
  </RequireScope>
);

function Page({ id }: { id: string }) {
  const trpc = useTRPC();
  const canWrite = useHasScope("workspaces:write");
  const query = useQuery(
    trpc.getWorkspace.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) =>
          refreshEvery(!state.data || isChanging(state.data) ? CHANGING_MS : STEADY_MS)({ state }),
      },
    ),
  );
  const { data: workspace } = query;
  useFollowMode(workspace);
  return (
    <>
      <PageHeader
        back={{ href: "/cloud/workspaces", label: "Workspaces" }}
        title={workspace?.name ?? "Workspace"}
        description={<span className="break-all font-mono text-xs">{id}</span>}
        actions={
          workspace && (
            <>
              <Badge tone={workspace.mode === "live" ? "good" : "warn"}>{workspace.mode}</Badge>
              <Badge tone={STATUS_TONES[workspace.status]}>{workspace.status}</Badge>
              {canWrite && <WorkspaceActions workspace={workspace} />}
            </>
          )
        }
      />
      <QueryContent query={query}>{(shown) => <Parts workspace={shown} canWrite={canWrite} />}</QueryContent>
    </>
  );
}

const Parts = ({ workspace, canWrite }: { workspace: Workspace; canWrite: boolean }) => (
  <div className="space-y-6">
    <Alert tone={workspace.status === "running" ? "good" : workspace.status === "failed" ? "bad" : "info"}>
      {stateText(workspace)}
    </Alert>
    {workspace.status === "running" && (
      <>
        <BuiltInEditor id={workspace.id} canWrite={canWrite} />
        {canWrite && (
          <ShellSection
            title="Terminal"
            about="The shell of the image, in /workspace."
            path={`/v1/workspaces/${workspace.id}/terminal`}
          />
        )}
      </>
    )}
    <WorkspaceDetails workspace={workspace} />
  </div>
);
