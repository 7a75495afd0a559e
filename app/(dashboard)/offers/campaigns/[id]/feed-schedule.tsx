import { useQueryClient } from "@tanstack/react-query";
import { CalendarClock, RefreshCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { Alert } from "../../../../components/ui/alert";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Confirm } from "../../../../components/ui/confirm";
import { formatDateTime } from "../../../../format/dates";
import { useTRPC } from "../../../../trpc/client";
import { useMutationOf, useQueryOf } from "../../../../trpc/use-operation";
import { Fact, Facts } from "../../../components/facts";
import { FeedScheduleDialog } from "./feed-schedule-dialog";
import { fetchText, intervalText, isFetchExpected, type FeedSchedule as Schedule } from "./feed-schedule-text";
import { LastImport } from "./last-import";

const POLL_MS = 2000;

/** The URL that the feed is fetched from, the state of its fetches, and the dialog that changes it. */
export function FeedSchedule({ campaignId }: { campaignId: string }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQueryOf(
    "readFeedSchedule",
    { id: campaignId },
    {
      refetchInterval: ({ state }) => {
        const schedule = state.data?.schedule;
        return schedule && isFetchExpected(schedule, new Date()) ? POLL_MS : false;
      },
    },
  );
  useRefreshAfterFetch(query.data?.schedule?.last_fetch?.finished_at);
  return (
    <section aria-labelledby="feed-schedule" className="space-y-3 border-t pt-5">
      <h3 id="feed-schedule" className="font-medium text-sm">
        Fetch the feed from a URL
      </h3>
      <QueryContent query={query}>
        {({ schedule }) => (
          <>
            {schedule ? (
              <ScheduleState schedule={schedule} onEdit={() => setOpen(true)} />
            ) : (
              <NoSchedule onSet={() => setOpen(true)} />
            )}
            <FeedScheduleDialog
              campaignId={campaignId}
              schedule={schedule ?? undefined}
              open={isOpen}
              onClose={() => setOpen(false)}
            />
          </>
        )}
      </QueryContent>
    </section>
  );
}

/** The products on the page are from before a fetch that ended since. */
function useRefreshAfterFetch(finishedAt: string | undefined): void {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const known = useRef(finishedAt);
  useEffect(() => {
    const isNew = known.current !== undefined && finishedAt !== undefined && known.current !== finishedAt;
    const isFirst = known.current === undefined && finishedAt !== undefined;
    known.current = finishedAt ?? known.current;
    if (!isNew && !isFirst) return;
    for (const stale of [trpc.listProducts, trpc.countProducts, trpc.getCampaign])
      void queries.invalidateQueries({ queryKey: stale.pathKey() });
  }, [finishedAt, queries, trpc]);
}

const NoSchedule = ({ onSet }: { onSet: () => void }) => (
  <div className="flex flex-wrap items-center justify-between gap-3">
    <p className="text-muted-foreground text-sm">Keep products up to date without uploads: every 1, 6 or 24 hours.</p>
    <Button variant="outline" onClick={onSet} icon={CalendarClock}>
      Set a feed URL
    </Button>
  </div>
);

function ScheduleState({ schedule, onEdit }: { schedule: Schedule; onEdit: () => void }) {
  const { url, interval, remove_missing, username, status, next_fetch_at, last_import, last_fetch } = schedule;
  return (
    <div className="space-y-4">
      {status === "paused" && (
        <Alert tone="warn">
          Paused after {schedule.consecutive_failures} failed fetches. Fix the cause, then fetch now or save the
          schedule.
        </Alert>
      )}
      <Facts>
        <Fact name="URL" className="sm:col-span-2">
          <span className="break-all font-mono text-xs">{url}</span>
        </Fact>
        <Fact name="Schedule">
          {intervalText(interval)}
          {username !== null && `, as user ${username}`}
        </Fact>
        <Fact name="Products no longer in the feed">{remove_missing ? "Removed" : "Kept"}</Fact>
        <Fact name="Next fetch">
          {schedule.fetching ? (
            <Badge tone="accent">Fetching now</Badge>
          ) : next_fetch_at === null ? (
            "Paused"
          ) : isFetchExpected(schedule, new Date()) ? (
            "Within a minute"
          ) : (
            formatDateTime(next_fetch_at)
          )}
        </Fact>
        <Fact name="Last fetch">{last_fetch ? formatDateTime(last_fetch.finished_at) : "–"}</Fact>
      </Facts>
      <p role="status" className="text-sm empty:hidden">
        {last_fetch?.outcome !== "failed" && fetchText(schedule)}
      </p>
      {last_fetch?.outcome === "failed" && <Alert tone="bad">{fetchText(schedule)}</Alert>}
      <ScheduleButtons schedule={schedule} onEdit={onEdit} />
      {last_import && <LastImport result={last_import} />}
    </div>
  );
}

function ScheduleButtons({ schedule, onEdit }: { schedule: Schedule; onEdit: () => void }) {
  const id = schedule.campaign_id;
  const fetchNow = useMutationOf("requestFeedFetch", { meta: { done: "Fetch requested." } });
  const remove = useMutationOf("deleteFeedSchedule", { meta: { done: "Feed schedule deleted." } });
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="outline"
        size="sm"
        disabled={schedule.fetching}
        pending={fetchNow.isPending}
        onClick={() => fetchNow.mutate({ id })}
      >
        <RefreshCw aria-hidden />
        Fetch now
      </Button>
      <Button variant="outline" size="sm" onClick={onEdit}>
        Edit schedule
      </Button>
      <Confirm
        trigger={
          <Button variant="outline" size="sm">
            Delete schedule
          </Button>
        }
        title="Delete the feed schedule?"
        consequence="The feed is no longer fetched. Its products stay and continue to serve."
        action="Delete schedule"
        onConfirm={() => remove.mutateAsync({ id })}
      />
    </div>
  );
}
