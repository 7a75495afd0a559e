import { Gauge } from "lucide-react";
import { QuerySection } from "../../../components/query-content";
import { Badge } from "../../../components/ui/badge";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { Skeleton } from "../../../components/ui/skeleton";
import { formatMonth } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { refreshEvery } from "../../../trpc/query-client";
import { useQueryOf } from "../../../trpc/use-operation";
import { Figures } from "../../components/figures";
import { useMode } from "../../components/shell/mode";
import { CostPlot } from "./cost-plot";
import { UsageTable } from "./usage-table";
import { forecastOf, microsOf } from "./usage-view";
import type { Usage } from "./wire";

const REFRESH_MS = 30_000;

/** The current month: its cost so far, by day and by SKU. */
export function UsageSection() {
  const { mode } = useMode();
  const query = useQueryOf("getUsage", { mode }, { refetchInterval: refreshEvery(REFRESH_MS) });
  return (
    <QuerySection
      title="This month"
      description="Pods that run are counted up to now, and queues every 10 minutes."
      query={query}
      loading={<Skeleton className="h-96" />}
    >
      {(usage) =>
        usage.data.length === 0 ? (
          <EmptyState icon={Gauge} title={`Nothing was used in ${formatMonth(usage.from.slice(0, 7))}`}>
            Pods, messages of queues, stored objects and chat requests in {mode} mode appear here.{" "}
            <Link href="/docs/billing" className="underline underline-offset-2">
              How usage is billed
            </Link>
          </EmptyState>
        ) : (
          <Month usage={usage} />
        )
      }
    </QuerySection>
  );
}

function Month({ usage }: { usage: Usage }) {
  const { currency, total, simulated } = usage;
  const forecast = forecastOf(usage);
  const running = usage.data.filter(({ service, final }) => service === "pods" && !final).length;
  return (
    <div className="space-y-8">
      {simulated && <Badge tone="warn">simulated: nothing is charged in test mode</Badge>}
      <Figures
        main={{ label: "Total so far", value: formatMoney(microsOf(total), currency) }}
        parts={[
          {
            label: "Forecast",
            value: forecast === undefined ? "–" : formatMoney(forecast, currency),
            note: forecast === undefined ? "From the second day on" : "If the month continues like this",
          },
          {
            label: "Still counting",
            value: running === 0 ? "No" : "Yes",
            note: running === 0 ? "No pod runs" : "Pods are running",
          },
        ]}
      />
      <CostPlot />
      <UsageTable rows={usage.data} currency={currency} />
    </div>
  );
}
