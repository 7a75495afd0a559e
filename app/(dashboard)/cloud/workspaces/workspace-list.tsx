"use client";

import { Play, Square, SquareTerminal } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { RowMenu } from "../../../components/ui/row-menu";
import { useMutationOf } from "../../../trpc/use-operation";
import { type Columns, nameColumn, timeColumn } from "../../components/data-table";
import { chosenIn, statusFilter } from "../../components/filters";
import { NounList } from "../../components/noun-list";
import { pagesEvery } from "../../components/pages";
import { deleteAction } from "../../components/row-actions";
import { ImageName } from "../pods/image-name";
import { costText } from "../pods/pod";
import { CreateWorkspaceDialog } from "./create-workspace-dialog";
import { canStart, deletionOf, editorText, STATUS_TONES, WORKSPACE_STATUSES, type Workspace } from "./workspace";

const REFRESH_MS = 5000;

const COLUMNS: Columns<Workspace> = [
  nameColumn("/cloud/workspaces", "id"),
  { label: "Status", cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{status}</Badge> },
  { label: "Image", className: "min-w-36 max-w-64", cell: ({ image }) => <ImageName image={image} /> },
  { label: "Editor", className: "whitespace-nowrap", cell: editorText },
  { label: "Disk", numeric: true, cell: ({ volume }) => `${volume.size_gb} GiB` },
  { label: "Cost", numeric: true, title: "Of the metered time", cell: costText },
  timeColumn("Last used", ({ last_used_at }) => last_used_at),
];

export const WorkspaceList = () => (
  <NounList
    title="Workspaces"
    description="Machines to write programs on: a disk that stays, an editor in the browser, and terminals."
    noun="workspace"
    icon={SquareTerminal}
    about="A workspace is a container with a disk that keeps your files. It is stopped when it is not used."
    docs="/docs/workspaces"
    scopes="workspaces"
    useFilters={() => [statusFilter(WORKSPACE_STATUSES)]}
    pages={({ trpc, mode, params }) =>
      trpc.listWorkspaces.infiniteQueryOptions(
        { mode, status: chosenIn(params, "status", WORKSPACE_STATUSES) },
        pagesEvery(REFRESH_MS),
      )
    }
    columns={COLUMNS}
    menu={(workspace) => <WorkspaceMenu workspace={workspace} />}
    dialog={(state) => <CreateWorkspaceDialog {...state} />}
  />
);

function WorkspaceMenu({ workspace }: { workspace: Workspace }) {
  const { id, name, status } = workspace;
  const start = useMutationOf("startWorkspace", { meta: { done: "Workspace started." } });
  const stop = useMutationOf("stopWorkspace", { meta: { done: "Workspace is stopping." } });
  const remove = useMutationOf("deleteWorkspace", { meta: { done: "Workspace deleted." } });
  return (
    <RowMenu
      name={name}
      actions={[
        ...(canStart(workspace) ? [{ label: "Start", icon: Play, onSelect: () => start.mutate({ id }) }] : []),
        ...(status === "running" ? [{ label: "Stop", icon: Square, onSelect: () => stop.mutate({ id }) }] : []),
        deleteAction(deletionOf(workspace), () => remove.mutateAsync({ id })),
      ]}
    />
  );
}
