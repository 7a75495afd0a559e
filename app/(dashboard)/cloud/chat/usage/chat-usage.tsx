"use client";

import { Activity } from "lucide-react";
import { QuerySection } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { cn } from "../../../../components/ui/cn";
import { EmptyState } from "../../../../components/ui/empty-state";
import { Skeleton } from "../../../../components/ui/skeleton";
import { refreshEvery } from "../../../../trpc/query-client";
import { useQueryOf } from "../../../../trpc/use-operation";
import { PeriodButtons } from "../../../components/choice-buttons";
import { useMode } from "../../../components/shell/mode";
import { useUrlParams } from "../../../components/use-url-params";
import { UsagePlots } from "./usage-plots";
import { PERIODS, periodOf, pointsOf, startOf } from "./usage-view";

const REFRESH_MS = 30_000;

/** Requests, tokens, spend and latency over time. */
export function ChatUsage() {
  const { mode } = useMode();
  const { params } = useUrlParams();
  const period = periodOf(params.get("period"));
  const now = new Date();
  const query = useQueryOf(
    "getChatUsage",
    { mode, from: startOf(period, now), group_by: period.step },
    { refetchInterval: refreshEvery(REFRESH_MS) },
  );
  return (
    <QuerySection
      title="Over time"
      description="Requests that have ended, by when they began. Days are those of UTC."
      actions={<PeriodButtons periods={PERIODS} chosen={period} />}
      query={query}
      loading={<Skeleton className="h-80" />}
    >
      {(usage) =>
        usage.data.length === 0 ? (
          <EmptyState icon={Activity} title={`No requests in ${period.text}`}>
            Chat requests in {mode} mode appear here when they have ended.
          </EmptyState>
        ) : (
          <div className={cn("space-y-8", query.isPlaceholderData && "opacity-60")}>
            {usage.simulated && <Badge tone="warn">simulated: nothing is charged in test mode</Badge>}
            <UsagePlots points={pointsOf(usage, period, now)} period={period} currency={usage.currency} />
          </div>
        )
      }
    </QuerySection>
  );
}
