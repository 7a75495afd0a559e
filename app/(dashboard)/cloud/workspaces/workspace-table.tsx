"use client";

import { useMutation } from "@tanstack/react-query";
import { Play, Square, Trash2 } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { Link } from "../../../components/ui/link";
import { RowMenu } from "../../../components/ui/row-menu";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useHasScope } from "../../components/shell/access";
import { ImageName } from "../pods/image-name";
import { costText } from "../pods/pod";
import { canStart, deletionOf, editorText, STATUS_TONES, type Workspace } from "./workspace";

const COLUMNS = [
  { label: "Name" },
  { label: "Status" },
  { label: "Image" },
  { label: "Editor" },
  { label: "Disk", numeric: true },
  { label: "Cost", numeric: true, title: "Of the metered time" },
  { label: "Last used" },
];
const ACTIONS = { label: "" };

export function WorkspaceTable({ workspaces }: { workspaces: Workspace[] }) {
  const canWrite = useHasScope("workspaces:write");
  return (
    <Table caption="Workspaces" columns={canWrite ? [...COLUMNS, ACTIONS] : COLUMNS}>
      {workspaces.map((workspace) => (
        <WorkspaceRow key={workspace.id} workspace={workspace} canWrite={canWrite} />
      ))}
    </Table>
  );
}

const WorkspaceRow = ({ workspace, canWrite }: { workspace: Workspace; canWrite: boolean }) => (
  <Row>
    <RowHeading className="max-w-80 min-w-40">
      <Link href={`/cloud/workspaces/${workspace.id}`} className={`${ROW_LINK_STYLE} break-words`}>
        {workspace.name}
      </Link>
      <span className="block break-all font-mono font-normal text-muted-foreground text-xs sm:whitespace-nowrap">
        {workspace.id}
      </span>
    </RowHeading>
    <Cell>
      <Badge tone={STATUS_TONES[workspace.status]}>{workspace.status}</Badge>
    </Cell>
    <Cell className="min-w-36 max-w-64">
      <ImageName image={workspace.image} />
    </Cell>
    <Cell className="whitespace-nowrap">{editorText(workspace)}</Cell>
    <Cell numeric className="whitespace-nowrap">
      {workspace.volume.size_gb} GiB
    </Cell>
    <Cell numeric className="whitespace-nowrap">
      {costText(workspace)}
    </Cell>
    <Cell className="min-w-28 text-muted-foreground">{formatDateTime(workspace.last_used_at)}</Cell>
    {canWrite && (
      <ActionsCell>
        <WorkspaceMenu workspace={workspace} />
      </ActionsCell>
    )}
  </Row>
);

function WorkspaceMenu({ workspace }: { workspace: Workspace }) {
  const trpc = useTRPC();
  const { id, name, status } = workspace;
  const start = useMutation(trpc.startWorkspace.mutationOptions({ meta: { done: "Workspace started." } }));
  const stop = useMutation(trpc.stopWorkspace.mutationOptions({ meta: { done: "Workspace is stopping." } }));
  const remove = useMutation(trpc.deleteWorkspace.mutationOptions({ meta: { done: "Workspace deleted." } }));
  return (
    <RowMenu
      name={name}
      actions={[
        ...(canStart(workspace) ? [{ label: "Start", icon: Play, onSelect: () => start.mutate({ id }) }] : []),
        ...(status === "running" ? [{ label: "Stop", icon: Square, onSelect: () => stop.mutate({ id }) }] : []),
        {
          ...{ label: "Delete", icon: Trash2, question: deletionOf(workspace) },
          onConfirm: () => remove.mutateAsync({ id }),
        },
      ]}
    />
  );
}
