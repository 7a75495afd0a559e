import type { ReactNode } from "react";
import { Card } from "../../../../components/ui/card";
import { Link } from "../../../../components/ui/link";
import { formatAge, formatDuration } from "../../../../format/durations";
import { formatCount } from "../../../../format/numbers";
import { ROW_LINK_STYLE } from "../../../components/row-link-style";
import type { Queue } from "../queue";
import { useProjectQueues } from "./use-project-queues";

/** How many messages the queue has now; the waiting ones first. */
export function QueueFigures({ queue }: { queue: Queue }) {
  const { figures, visibility_timeout_s, retention_s, max_receives } = queue;
  const { waiting, in_flight, delayed, oldest_age_s } = figures;
  return (
    <section aria-label="Messages now">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-5">
        <Figure label="Waiting" isPrimary note="can be received, or follow one in flight">
          {formatCount(waiting)}
        </Figure>
        <Figure label="In flight" note={`for ${formatDuration(visibility_timeout_s)} unless extended`}>
          {formatCount(in_flight)}
        </Figure>
        <Figure label="Delayed" note="until their delay ends">
          {formatCount(delayed)}
        </Figure>
        <Figure label="Oldest message" note={`deleted after ${formatDuration(retention_s)}`}>
          {oldest_age_s === null ? "–" : formatAge(oldest_age_s)}
        </Figure>
        <Figure
          label="Dead-letter queue"
          isText
          note={queue.dlq === null ? undefined : `after ${max_receives} receives`}
        >
          <Dlq queue={queue} />
        </Figure>
      </dl>
    </section>
  );
}

interface FigureProps {
  label: string;
  isPrimary?: boolean;
  isText?: boolean;
  note?: string | undefined;
  children: ReactNode;
}

const Figure = ({ label, isPrimary = false, isText = false, note, children }: FigureProps) => (
  <Card className={isPrimary ? "col-span-2 border-primary/40 p-4 lg:col-span-1" : "p-4"}>
    <dt className="text-muted-foreground text-sm">{label}</dt>
    <dd
      className={`mt-1 break-words font-semibold tabular-nums tracking-tight ${isPrimary ? "text-4xl" : isText ? "break-all text-base leading-8" : "text-2xl"}`}
    >
      {children}
    </dd>
    {note && <dd className="mt-1 text-muted-foreground text-xs">{note}</dd>}
  </Card>
);

function Dlq({ queue }: { queue: Queue }) {
  const { queues } = useProjectQueues(queue);
  if (queue.dlq === null) return "none";
  const dlq = queues.find(({ name }) => name === queue.dlq);
  if (!dlq) return queue.dlq;
  return (
    <Link href={`/cloud/queues/${dlq.id}`} className={ROW_LINK_STYLE}>
      {dlq.name}
    </Link>
  );
}
