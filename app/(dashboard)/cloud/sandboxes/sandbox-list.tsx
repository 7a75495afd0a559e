"use client";

import { Box } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { RowMenu } from "../../../components/ui/row-menu";
import { formatAge } from "../../../format/durations";
import { useMutationOf } from "../../../trpc/use-operation";
import { type Columns, nameColumn, timeColumn } from "../../components/data-table";
import { chosenIn, statusFilter } from "../../components/filters";
import { NounList } from "../../components/noun-list";
import { pagesEvery } from "../../components/pages";
import { deleteAction } from "../../components/row-actions";
import { ImageName } from "../pods/image-name";
import { costText } from "../pods/pod";
import { CreateSandboxDialog } from "./create-sandbox-dialog";
import { deletionOf, resultText, SANDBOX_STATUSES, type Sandbox, STATUS_TONES } from "./sandbox";

const REFRESH_MS = 5000;

const COLUMNS: Columns<Sandbox> = [
  nameColumn("/cloud/sandboxes", "id"),
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
    cell: ({ metered_seconds }) => formatAge(metered_seconds),
  },
  { label: "Cost", numeric: true, title: "Of the metered time", cell: costText },
  timeColumn("Created", ({ created_at }) => created_at),
];

interface SandboxListProps {
  /** Images may come from a registry on this machine. */
  allowsLoopback: boolean;
}

export const SandboxList = ({ allowsLoopback }: SandboxListProps) => (
  <NounList
    title="Sandboxes"
    description="Isolated environments that run untrusted code and end when their time limit is reached."
    noun="sandbox"
    plural="sandboxes"
    icon={Box}
    about="A sandbox runs commands in a container image, apart from everything else. Programs and agents create them by API."
    docs="/docs/sandboxes"
    scopes="sandboxes"
    useFilters={() => [statusFilter(SANDBOX_STATUSES)]}
    pages={({ trpc, mode, params }) =>
      trpc.listSandboxes.infiniteQueryOptions(
        { mode, status: chosenIn(params, "status", SANDBOX_STATUSES) },
        pagesEvery(REFRESH_MS),
      )
    }
    columns={COLUMNS}
    menu={(sandbox) => <SandboxMenu sandbox={sandbox} />}
    dialog={(state) => <CreateSandboxDialog {...state} allowsLoopback={allowsLoopback} />}
  />
);

function SandboxMenu({ sandbox }: { sandbox: Sandbox }) {
  const remove = useMutationOf("deleteSandbox", { meta: { done: "Sandbox deleted." } });
  const onConfirm = () => remove.mutateAsync({ id: sandbox.id });
  return <RowMenu name={sandbox.name} actions={[deleteAction(deletionOf(sandbox), onConfirm)]} />;
}
