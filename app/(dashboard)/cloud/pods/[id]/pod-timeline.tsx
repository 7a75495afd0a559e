"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Section } from "../../../../components/ui/card";
import { formatDateTimeSeconds } from "../../../../format/dates";
import { useTRPC } from "../../../../trpc/client";
import { refreshEvery } from "../../../../trpc/query-client";
import { humanize } from "../../../account/audit-log/audit-text";
import { nextCursor, PagedContent } from "../../../components/paged-content";
import { isActive, type Pod } from "../pod";

const ACTIVE_MS = 3000;
const ENDED_MS = 15_000;
const PAGE_ROWS = 25;

/** What happened to the pod, newest first. */
export function PodTimeline({ pod }: { pod: Pod }) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.listPodEvents.infiniteQueryOptions(
      { id: pod.id, limit: PAGE_ROWS },
      { getNextPageParam: nextCursor, refetchInterval: refreshEvery(isActive(pod) ? ACTIVE_MS : ENDED_MS) },
    ),
  );
  return (
    <Section title="Timeline" description="Newest first.">
      <PagedContent query={query} empty={<p className="text-muted-foreground text-sm">Nothing has happened yet.</p>}>
        {(events) => (
          <ol aria-label="Events, newest first" className="divide-y rounded-lg border">
            {events.map(({ id, type, run, message, at }) => (
              <li
                key={id}
                className="grid gap-x-4 gap-y-0.5 px-3 py-2.5 text-sm sm:grid-cols-[9rem_minmax(0,1fr)_auto]"
              >
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
      </PagedContent>
    </Section>
  );
}
