import { Link } from "../../../components/ui/link";
import { formatAge, formatDuration } from "../../../format/durations";
import { formatCount } from "../../../format/numbers";
import { type Columns, DataTable, nameColumn } from "../../components/data-table";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useUrlParams } from "../../components/use-url-params";
import type { ListedQueue } from "./queue";
import { inOrder, nextOrder, readOrder } from "./queue-order";

const countOf = ({ figures }: ListedQueue, of: "waiting" | "in_flight" | "delayed"): string =>
  figures ? formatCount(figures[of]) : "–";

const ageOf = ({ figures }: ListedQueue): string =>
  figures?.oldest_age_s == null ? "–" : formatAge(figures.oldest_age_s);

/** `queues`: those among which a dead-letter queue is found. */
const columnsOf = (queues: readonly ListedQueue[]): Columns<ListedQueue> => [
  { ...nameColumn("/cloud/queues", "project"), sortBy: "name" },
  {
    label: "Waiting",
    numeric: true,
    sortBy: "waiting",
    title: "Messages that have not been received",
    className: "font-medium",
    cell: (queue) => countOf(queue, "waiting"),
  },
  {
    label: "In flight",
    numeric: true,
    sortBy: "in_flight",
    title: "Received, and not acknowledged yet",
    cell: (queue) => countOf(queue, "in_flight"),
  },
  {
    label: "Delayed",
    numeric: true,
    title: "Sent or returned with a delay that has not ended",
    cell: (queue) => countOf(queue, "delayed"),
  },
  { label: "Oldest", numeric: true, sortBy: "oldest", title: "The age of the oldest message", cell: ageOf },
  {
    label: "Dead-letter queue",
    className: "min-w-32 max-w-64 break-all text-muted-foreground",
    cell: (queue) => <DlqName queue={queue} queues={queues} />,
  },
  {
    label: "Visibility timeout",
    numeric: true,
    className: "text-muted-foreground",
    cell: ({ visibility_timeout_s }) => formatDuration(visibility_timeout_s),
  },
];

interface QueueTableProps {
  queues: ListedQueue[];
  /** There are further queues, which are not sorted among these. */
  hasMore: boolean;
}

/** Queues with their figures; the order is in the address. */
export function QueueTable({ queues, hasMore }: QueueTableProps) {
  const { params, change } = useUrlParams();
  const current = readOrder(params);
  return (
    <div className="space-y-2">
      <DataTable
        caption="Queues"
        rows={inOrder(queues, current)}
        keyOf={({ id }) => id}
        columns={columnsOf(queues)}
        sorting={{ ...current, onSort: (sort) => change(nextOrder(current, sort)) }}
      />
      {hasMore && (
        <p className="text-muted-foreground text-xs">
          Sorted among the {formatCount(queues.length)} queues that are shown; there are more.
        </p>
      )}
    </div>
  );
}

/** Links to the dead-letter queue if that is shown too. */
function DlqName({ queue: { project_id, dlq }, queues }: { queue: ListedQueue; queues: readonly ListedQueue[] }) {
  const shown = queues.find((other) => other.project_id === project_id && other.name === dlq);
  if (!shown) return dlq ?? "none";
  return (
    <Link href={`/cloud/queues/${shown.id}`} className={ROW_LINK_STYLE}>
      {shown.name}
    </Link>
  );
}
