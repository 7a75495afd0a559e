"use client";

import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { Link } from "../../../components/ui/link";
import { RowMenu } from "../../../components/ui/row-menu";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { useProjects } from "../../account/api-keys/use-projects";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useScopes } from "../../components/shell/access";
import { deletionOf, type Resource, STATE_LABELS, STATE_TONES } from "./resource";
import { useServiceLabel } from "./use-services";

const COLUMNS = [
  { label: "Name" },
  { label: "Service" },
  { label: "Kind" },
  { label: "State" },
  { label: "Project" },
  { label: "Updated" },
];
const ACTIONS = { label: "" };

export function ResourceTable({ resources }: { resources: Resource[] }) {
  const scopes = useScopes();
  const canWriteAny = resources.some(({ plane }) => scopes.has(`${plane}:write`));
  const labelOf = useServiceLabel();
  const { nameOf } = useProjects();
  return (
    <Table caption="Resources" columns={canWriteAny ? [...COLUMNS, ACTIONS] : COLUMNS}>
      {resources.map((resource) => (
        <ResourceRow
          key={resource.rid}
          resource={resource}
          service={labelOf(resource)}
          project={nameOf(resource.project_id)}
          canWrite={canWriteAny}
        />
      ))}
    </Table>
  );
}

interface ResourceRowProps {
  resource: Resource;
  /** Its label. */
  service: string;
  project: string;
  canWrite: boolean;
}

const ResourceRow = ({ resource, service, project, canWrite }: ResourceRowProps) => (
  <Row>
    <RowHeading className="max-w-80 min-w-40">
      <Link href={`/cloud/resources/${resource.rid}`} className={`${ROW_LINK_STYLE} break-words`}>
        {resource.name}
      </Link>
      <span className="block break-all font-mono font-normal text-muted-foreground text-xs sm:whitespace-nowrap">
        {resource.rid}
      </span>
    </RowHeading>
    <Cell className="min-w-32">{service}</Cell>
    <Cell>{resource.kind}</Cell>
    <Cell className="min-w-44 max-w-72">
      <Badge tone={STATE_TONES[resource.state]}>{STATE_LABELS[resource.state]}</Badge>
      {resource.reason && (
        <span className="mt-1 block break-words text-muted-foreground text-xs">{resource.reason.message}</span>
      )}
    </Cell>
    <Cell className="min-w-24 break-words">{project}</Cell>
    <Cell className="min-w-28 text-muted-foreground">
      {resource.updated_at === null ? "–" : formatDateTime(resource.updated_at)}
    </Cell>
    {canWrite && (
      <ActionsCell>
        <ResourceMenu resource={resource} />
      </ActionsCell>
    )}
  </Row>
);

function ResourceMenu({ resource }: { resource: Resource }) {
  const trpc = useTRPC();
  const remove = useMutation(trpc.deleteResource.mutationOptions({ meta: { done: "The resource is being deleted." } }));
  if (resource.state === "deleting") return null;
  const onConfirm = () => remove.mutateAsync({ rid: resource.rid });
  return (
    <RowMenu
      name={resource.name}
      actions={[{ label: "Delete", icon: Trash2, question: deletionOf(resource), onConfirm }]}
    />
  );
}
