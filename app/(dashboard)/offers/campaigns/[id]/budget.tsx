import { QuerySection } from "../../../../components/query-content";
import { Button } from "../../../../components/ui/button";
import { Skeleton } from "../../../../components/ui/skeleton";
import { formatDay, formatTime } from "../../../../format/dates";
import { useQueryOf } from "../../../../trpc/use-operation";
import { TrendPlot } from "../../../components/plots/trend-plot";
import { useUrlParams } from "../../../components/use-url-params";
import type { Campaign } from "../campaign";
import { BudgetMeters } from "./budget-meters";
import { dayPoints, type Plan, periodPoints, type Spend } from "./budget-points";

const REFRESH_MS = 15_000;
/** The plan follows a week of traffic, which changes slowly. */
const PLAN_FRESH_MS = 600_000;
/** The points of three hours. */
const TICK_POINTS = 12;
const SPANS = [
  { span: "day", label: "Today" },
  { span: "period", label: "Whole run" },
] as const;

/** Spend against plan, today or since the start. */
export function Budget({ campaign }: { campaign: Campaign }) {
  const { params, change } = useUrlParams();
  const spend = useQueryOf("getCampaignSpend", { id: campaign.id }, { refetchInterval: REFRESH_MS });
  const plan = useQueryOf("getCampaignPlan", { id: campaign.id }, { staleTime: PLAN_FRESH_MS });
  const span = params.get("span") === "period" ? "period" : "day";
  const actions = SPANS.map((one) => (
    <Button
      key={one.span}
      size="sm"
      variant={one.span === span ? "primary" : "outline"}
      aria-pressed={one.span === span}
      onClick={() => change({ span: one.span === "day" ? "" : one.span })}
    >
      {one.label}
    </Button>
  ));
  return (
    <QuerySection
      id="budget"
      title="Budget and pacing"
      description={pacingText(campaign)}
      actions={actions}
      query={spend}
      loading={<Skeleton className="h-80" />}
    >
      {(found) => (
        <div className="space-y-5">
          <BudgetMeters campaign={campaign} spend={found} />
          <BudgetPlot campaign={campaign} spend={found} plan={plan.data ?? { points: [] }} span={span} />
        </div>
      )}
    </QuerySection>
  );
}

interface BudgetPlotProps {
  campaign: Campaign;
  spend: Spend;
  plan: Plan;
  span: "day" | "period";
}

function BudgetPlot({ campaign, spend, plan, span }: BudgetPlotProps) {
  const points = span === "day" ? dayPoints(spend, plan, new Date()) : periodPoints(spend, campaign);
  const hasPlan = points.some((point) => "planned" in point);
  const series = [
    { key: "spent", label: "Spent" },
    ...(hasPlan ? [{ key: "planned", label: span === "day" ? "Plan for the day" : "Plan" }] : []),
  ];
  return (
    <TrendPlot
      label={`${span === "day" ? "Today's" : "The campaign's"} spend${hasPlan ? " against its plan" : ""}, cumulative. The totals are shown above.`}
      points={points}
      series={series}
      unit={{ kind: "money", currency: campaign.currency }}
      ticks={span === "day" ? points.filter((_, i) => i % TICK_POINTS === 0).map(({ x }) => x) : undefined}
      formatX={span === "day" ? (x) => formatTime(x, campaign.timezone) : formatDay}
    />
  );
}

function pacingText({ pacing, daily_budget_micros, total_budget_micros, ends_at, timezone }: Campaign): string {
  if (daily_budget_micros === null && total_budget_micros === null) return "No budget: spending is unlimited.";
  if (pacing === "asap") return "As soon as possible: the budget is spent as fast as offers win.";
  if (daily_budget_micros === null && ends_at === null)
    return "A total budget without an end date cannot be paced: set an end date.";
  return `Even: follows the daily traffic pattern of the last week. Times are in ${timezone}.`;
}
