"use client";

import { Link } from "../../../components/ui/link";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { formatAge } from "../../../format/durations";
import { useProjects } from "../../account/api-keys/use-projects";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useHasScope } from "../../components/shell/access";
import { ImageName } from "./image-name";
import { costText, gpuText, type Pod, purchaseText } from "./pod";
import { PodMenu } from "./pod-menu";
import { PodStatusBadge } from "./pod-status";

const COLUMNS = [
  { label: "Name" },
  { label: "Status" },
  { label: "Image" },
  { label: "GPUs" },
  { label: "Metered", numeric: true, title: "How long its process ran, over all runs" },
  { label: "Cost", numeric: true, title: "Of the metered time" },
  { label: "Created" },
];
const ACTIONS = { label: "" };

export function PodTable({ pods }: { pods: Pod[] }) {
  const { projects, nameOf } = useProjects();
  const canWrite = useHasScope("pods:write");
  return (
    <Table caption="Pods" columns={canWrite ? [...COLUMNS, ACTIONS] : COLUMNS}>
      {pods.map((pod) => (
        <PodRow
          key={pod.id}
          pod={pod}
          project={projects.length > 1 ? nameOf(pod.project_id) : undefined}
          canWrite={canWrite}
        />
      ))}
    </Table>
  );
}

interface PodRowProps {
  pod: Pod;
  /** Shown if the tenant has several. */
  project: string | undefined;
  canWrite: boolean;
}

const PodRow = ({ pod, project, canWrite }: PodRowProps) => (
  <Row>
    <RowHeading className="max-w-80 min-w-40">
      <Link href={`/cloud/pods/${pod.id}`} className={`${ROW_LINK_STYLE} break-words`}>
        {pod.name}
      </Link>
      <span className="block break-all font-mono font-normal text-muted-foreground text-xs sm:whitespace-nowrap">
        {pod.id}
      </span>
      {project && <span className="block font-normal text-muted-foreground text-xs">{project}</span>}
    </RowHeading>
    <Cell>
      <PodStatusBadge status={pod.status} />
    </Cell>
    <Cell className="min-w-36 max-w-64">
      <ImageName image={pod.image} />
    </Cell>
    <Cell className="whitespace-nowrap">
      {pod.gpu === null ? <span className="text-muted-foreground">none</span> : gpuText(pod)}
      {pod.simulated && <span className="block text-muted-foreground text-xs">{purchaseText(pod)}, simulated</span>}
    </Cell>
    <Cell numeric className="whitespace-nowrap">
      {formatAge(pod.metered_seconds)}
    </Cell>
    <Cell numeric className="whitespace-nowrap">
      {costText(pod)}
    </Cell>
    <Cell className="min-w-28 text-muted-foreground">{formatDateTime(pod.created_at)}</Cell>
    {canWrite && (
      <ActionsCell>
        <PodMenu pod={pod} />
      </ActionsCell>
    )}
  </Row>
);
