"use client";

import { useMutation } from "@tanstack/react-query";
import { Play, Square, Trash2 } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { RowMenu } from "../../../components/ui/row-menu";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { type NounColumn, NounTable } from "../../components/noun-table";
import { useHasScope } from "../../components/shell/access";
import { ImageName } from "../pods/image-name";
import { costText } from "../pods/pod";
import { canStart, deletionOf, editorText, STATUS_TONES, type Workspace } from "./workspace";

const COLUMNS: NounColumn<Workspace>[] = [
  { label: "Status", cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{status}</Badge> },
  { label: "Image", className: "min-w-36 max-w-64", cell: ({ image }) => <ImageName image={image} /> },
  { label: "Editor", className: "whitespace-nowrap", cell: editorText },
  { label: "Disk", numeric: true, className: "whitespace-nowrap", cell: ({ volume }) => `${volume.size_gb} GiB` },
  { label: "Cost", numeric: true, title: "Of the metered time", className: "whitespace-nowrap", cell: costText },
  {
    label: "Last used",
    className: "min-w-28 text-muted-foreground",
    cell: ({ last_used_at }) => formatDateTime(last_used_at),
  },
];

export function WorkspaceTable({ workspaces }: { workspaces: Workspace[] }) {
  const canWrite = useHasScope("workspaces:write");
  return (
    <NounTable
      caption="Workspaces"
      rows={workspaces}
      href={({ id }) => `/cloud/workspaces/${id}`}
      columns={COLUMNS}
      showsId
      menu={canWrite ? (workspace) => <WorkspaceMenu workspace={workspace} /> : undefined}
    />
  );
}

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
          label: "Delete",
          icon: Trash2,
          question: deletionOf(workspace),
          onConfirm: () => remove.mutateAsync({ id }),
        },
      ]}
    />
  );
}
