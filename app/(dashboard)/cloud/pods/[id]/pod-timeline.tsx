import { History } from "lucide-react";
import { Section } from "../../../../components/ui/card";
import { formatDateTimeSeconds } from "../../../../format/dates";
import { humanize } from "../../../account/audit-log/audit-text";
import { PagedList } from "../../../components/paged-list";
import { pagesEvery } from "../../../components/pages";
import { isActive, type Pod } from "../pod";

const ACTIVE_MS = 3000;
const ENDED_MS = 15_000;
const PAGE_ROWS = 25;

/** What happened to the pod, newest first. */
export const PodTimeline = ({ pod }: { pod: Pod }) => (
  <Section title="Timeline" description="Newest first.">
    <PagedList
      noun="event"
      icon={History}
      emptyTitle="Nothing has happened yet"
      about="Each step of the pod appears here, from its placement to its end."
      scopes="pods"
      pages={({ trpc }) =>
        trpc.listPodEvents.infiniteQueryOptions(
          { id: pod.id, limit: PAGE_ROWS },
          pagesEvery(isActive(pod) ? ACTIVE_MS : ENDED_MS),
        )
      }
    >
      {(events) => (
        <ol aria-label="Events, newest first" className="divide-y rounded-lg border">
          {events.map(({ id, type, run, message, at }) => (
            <li key={id} className="grid gap-x-4 gap-y-0.5 px-3 py-2.5 text-sm sm:grid-cols-[9rem_minmax(0,1fr)_auto]">
              <span className="font-medium">{humanize(type)}</span>
              <span className="min-w-0 break-words">
                {message}
                {pod.runs > 1 && <span className="text-muted-foreground"> (run {run})</span>}
              </span>
              <time dateTime={at} className="text-muted-foreground text-xs tabular-nums sm:text-right sm:leading-5">
                {formatDateTimeSeconds(at)}
              </time>
            </li>
          ))}
        </ol>
      )}
    </PagedList>
  </Section>
);
