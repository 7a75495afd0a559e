"use client";

import { Link } from "../../../components/ui/link";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatAge, formatDuration } from "../../../format/durations";
import { formatCount } from "../../../format/numbers";
import { useProjects } from "../../account/api-keys/use-projects";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useUrlParams } from "../../components/use-url-params";
import type { Figures, ListedQueue } from "./queue";
import { inOrder, nextOrder, readOrder, type Sort } from "./queue-order";

const COLUMNS: { label: string; title?: string; numeric?: boolean; sort?: Sort }[] = [
  { label: "Name", sort: "name" },
  { label: "Waiting", numeric: true, sort: "waiting", title: "Messages that have not been received" },
  { label: "In flight", numeric: true, sort: "in_flight", title: "Received, and not acknowledged yet" },
  { label: "Delayed", numeric: true, title: "Sent or returned with a delay that has not ended" },
  { label: "Oldest", numeric: true, sort: "oldest", title: "The age of the oldest message" },
  { label: "Dead-letter queue" },
  { label: "Visibility timeout", numeric: true },
];
const ORDERS = { asc: "ascending", desc: "descending" } as const;

interface QueueTableProps {
  queues: ListedQueue[];
  /** There are further queues, which are not sorted among these. */
  hasMore: boolean;
}

/** Queues with their figures; the order is in the address. */
export function QueueTable({ queues, hasMore }: QueueTableProps) {
  const { params, change } = useUrlParams();
  const { projects, nameOf } = useProjects();
  const current = readOrder(params);
  const columns = COLUMNS.map(({ sort, ...column }) => ({
    ...column,
    ...(sort && {
      sort: {
        order: current.sort === sort ? ORDERS[current.order] : ("none" as const),
        onSort: () => change({ ...nextOrder(current, sort) }),
      },
    }),
  }));
  const dlqIdOf = ({ project_id, dlq }: ListedQueue) =>
    queues.find((other) => other.project_id === project_id && other.name === dlq)?.id;
  return (
    <div className="space-y-2">
      <Table caption="Queues" columns={columns}>
        {inOrder(queues, current).map((queue) => (
          <QueueRow
            key={queue.id}
            queue={queue}
            project={projects.length > 1 ? nameOf(queue.project_id) : undefined}
            dlqId={dlqIdOf(queue)}
          />
        ))}
      </Table>
      {hasMore && (
        <p className="text-muted-foreground text-xs">
          Sorted among the {formatCount(queues.length)} queues that are shown; there are more.
        </p>
      )}
    </div>
  );
}

interface QueueRowProps {
  queue: ListedQueue;
  /** Shown if the tenant has several. */
  project: string | undefined;
  /** The id of its dead-letter queue, if that is shown too. */
  dlqId: string | undefined;
}

function QueueRow({ queue: { id, name, dlq, visibility_timeout_s, figures }, project, dlqId }: QueueRowProps) {
  return (
    <Row>
      <RowHeading className="max-w-80">
        <Link href={`/cloud/queues/${id}`} className={`${ROW_LINK_STYLE} break-all`}>
          {name}
        </Link>
        {project && <span className="block font-normal text-muted-foreground text-xs">{project}</span>}
      </RowHeading>
      <FigureCells figures={figures} />
      <Cell className="min-w-32 max-w-64 break-all text-muted-foreground">
        <DlqName id={dlqId} name={dlq} />
      </Cell>
      <Cell numeric className="whitespace-nowrap text-muted-foreground">
        {formatDuration(visibility_timeout_s)}
      </Cell>
    </Row>
  );
}

function DlqName({ id, name }: { id: string | undefined; name: string | null }) {
  if (name === null) return "none";
  if (id === undefined) return name;
  return (
    <Link href={`/cloud/queues/${id}`} className={ROW_LINK_STYLE}>
      {name}
    </Link>
  );
}

function FigureCells({ figures }: { figures: Figures | null }) {
  const count = (of: "waiting" | "in_flight" | "delayed") => (figures ? formatCount(figures[of]) : "–");
  const age = figures?.oldest_age_s;
  return (
    <>
      <Cell numeric className="font-medium">
        {count("waiting")}
      </Cell>
      <Cell numeric>{count("in_flight")}</Cell>
      <Cell numeric>{count("delayed")}</Cell>
      <Cell numeric className="whitespace-nowrap">
        {age === null || age === undefined ? "–" : formatAge(age)}
      </Cell>
    </>
  );
}
