"use client";

import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { Link } from "../../../components/ui/link";
import { RowMenu } from "../../../components/ui/row-menu";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { formatAge } from "../../../format/durations";
import { useTRPC } from "../../../trpc/client";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useHasScope } from "../../components/shell/access";
import { ImageName } from "../pods/image-name";
import { costText } from "../pods/pod";
import { deletionOf, resultText, type Sandbox, STATUS_TONES } from "./sandbox";

const COLUMNS = [
  { label: "Name" },
  { label: "Status" },
  { label: "Image" },
  { label: "Command" },
  { label: "Metered", numeric: true, title: "How long it ran" },
  { label: "Cost", numeric: true, title: "Of the metered time" },
  { label: "Created" },
];
const ACTIONS = { label: "" };

export function SandboxTable({ sandboxes }: { sandboxes: Sandbox[] }) {
  const canWrite = useHasScope("sandboxes:write");
  return (
    <Table caption="Sandboxes" columns={canWrite ? [...COLUMNS, ACTIONS] : COLUMNS}>
      {sandboxes.map((sandbox) => (
        <SandboxRow key={sandbox.id} sandbox={sandbox} canWrite={canWrite} />
      ))}
    </Table>
  );
}

const SandboxRow = ({ sandbox, canWrite }: { sandbox: Sandbox; canWrite: boolean }) => (
  <Row>
    <RowHeading className="max-w-80 min-w-40">
      <Link href={`/cloud/sandboxes/${sandbox.id}`} className={`${ROW_LINK_STYLE} break-words`}>
        {sandbox.name}
      </Link>
      <span className="block break-all font-mono font-normal text-muted-foreground text-xs sm:whitespace-nowrap">
        {sandbox.id}
      </span>
    </RowHeading>
    <Cell>
      <Badge tone={STATUS_TONES[sandbox.status]}>{sandbox.status}</Badge>
    </Cell>
    <Cell className="min-w-36 max-w-64">
      <ImageName image={sandbox.image} />
    </Cell>
    <Cell className="min-w-28 max-w-64 break-words">
      {sandbox.command === null ? <span className="text-muted-foreground">none</span> : resultText(sandbox)}
    </Cell>
    <Cell numeric className="whitespace-nowrap">
      {formatAge(sandbox.metered_seconds)}
    </Cell>
    <Cell numeric className="whitespace-nowrap">
      {costText(sandbox)}
    </Cell>
    <Cell className="min-w-28 text-muted-foreground">{formatDateTime(sandbox.created_at)}</Cell>
    {canWrite && (
      <ActionsCell>
        <SandboxMenu sandbox={sandbox} />
      </ActionsCell>
    )}
  </Row>
);

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
