"use client";

import { Alert } from "../../../../components/ui/alert";
import { Badge } from "../../../../components/ui/badge";
import { NounPage } from "../../../components/noun-page";
import { useHasScope } from "../../../components/shell/access";
import { ShellSection } from "../../components/terminal/shell-section";
import { isChanging, STATUS_TONES, stateText, type Workspace } from "../workspace";
import { BuiltInEditor } from "./built-in-editor";
import { WorkspaceActions } from "./workspace-actions";
import { WorkspaceDetails } from "./workspace-details";

const CHANGING_MS = 1000;
const STEADY_MS = 10_000;

export const WorkspacePage = ({ id }: { id: string }) => (
  <NounPage
    id={id}
    noun="Workspace"
    list={{ href: "/cloud/workspaces", label: "Workspaces" }}
    scope="workspaces:read"
    query={(trpc) => trpc.getWorkspace.queryOptions({ id })}
    refreshMs={(workspace) => (!workspace || isChanging(workspace) ? CHANGING_MS : STEADY_MS)}
    actions={(workspace) => (
      <>
        <Badge tone={STATUS_TONES[workspace.status]}>{workspace.status}</Badge>
        <WorkspaceActions workspace={workspace} />
      </>
    )}
  >
    {(workspace) => <Parts workspace={workspace} />}
  </NounPage>
);

function Parts({ workspace }: { workspace: Workspace }) {
  const canWrite = useHasScope("workspaces:write");
  return (
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
}
