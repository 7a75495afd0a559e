"use client";

import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { RowMenu } from "../../../components/ui/row-menu";
import { formatDateTime } from "../../../format/dates";
import { formatAge } from "../../../format/durations";
import { useTRPC } from "../../../trpc/client";
import { type NounColumn, NounTable } from "../../components/noun-table";
import { useHasScope } from "../../components/shell/access";
import { ImageName } from "../pods/image-name";
import { costText } from "../pods/pod";
import { deletionOf, resultText, type Sandbox, STATUS_TONES } from "./sandbox";

const COLUMNS: NounColumn<Sandbox>[] = [
  { label: "Status", cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{status}</Badge> },
  { label: "Image", className: "min-w-36 max-w-64", cell: ({ image }) => <ImageName image={image} /> },
  {
    label: "Command",
    className: "min-w-28 max-w-64 break-words",
    cell: (sandbox) =>
      sandbox.command === null ? <span className="text-muted-foreground">none</span> : resultText(sandbox),
  },
  {
    label: "Metered",
    numeric: true,
    title: "How long it ran",
    className: "whitespace-nowrap",
    cell: ({ metered_seconds }) => formatAge(metered_seconds),
  },
  { label: "Cost", numeric: true, title: "Of the metered time", className: "whitespace-nowrap", cell: costText },
  {
    label: "Created",
    className: "min-w-28 text-muted-foreground",
    cell: ({ created_at }) => formatDateTime(created_at),
  },
];

export function SandboxTable({ sandboxes }: { sandboxes: Sandbox[] }) {
  const canWrite = useHasScope("sandboxes:write");
  return (
    <NounTable
      caption="Sandboxes"
      rows={sandboxes}
      href={({ id }) => `/cloud/sandboxes/${id}`}
      columns={COLUMNS}
      showsId
      menu={canWrite ? (sandbox) => <SandboxMenu sandbox={sandbox} /> : undefined}
    />
  );
}

function SandboxMenu({ sandbox }: { sandbox: Sandbox }) {
  const trpc = useTRPC();
  const remove = useMutation(trpc.deleteSandbox.mutationOptions({ meta: { done: "Sandbox deleted." } }));
  const onConfirm = () => remove.mutateAsync({ id: sandbox.id });
  return (
    <RowMenu
      name={sandbox.name}
      actions={[{ label: "Delete", icon: Trash2, question: deletionOf(sandbox), onConfirm }]}
    />
  );
}
