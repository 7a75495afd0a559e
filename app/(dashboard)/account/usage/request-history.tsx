import { Activity } from "lucide-react";
import { SelectField } from "../../../components/form/fields";
import { QueryContent } from "../../../components/query-content";
import { Section } from "../../../components/ui/card";
import { cn } from "../../../components/ui/cn";
import { EmptyState } from "../../../components/ui/empty-state";
import { Skeleton } from "../../../components/ui/skeleton";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { browserTimezone } from "../../../format/dates";
import { formatCount, formatRate } from "../../../format/numbers";
import { refreshEvery } from "../../../trpc/query-client";
import { useQueryOf } from "../../../trpc/use-operation";
import { ChoiceButtons } from "../../components/choice-buttons";
import { PlotTable } from "../../components/plots/plot-table";
import { TrendPlot } from "../../components/plots/trend-plot";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import {
  INTERVALS,
  type Interval,
  intervalOf,
  keyText,
  kindText,
  type RequestHistory as RequestHistoryData,
  STATUS_COLUMNS,
  startText,
  type UsedKey,
} from "./request-history-view";

const REFRESH_MS = 30_000;

/** API requests by day or hour, of all keys of the chosen mode or of one. */
export function RequestHistory() {
  const { params, change } = useUrlParams();
  const { mode } = useMode();
  const interval = intervalOf(params.get("interval"));
  const keyId = params.get("key") ?? "";
  const all = useHistory({ interval, mode });
  const query = useHistory({ interval, mode, ...(keyId && { key_id: keyId }) });
  return (
    <Section
      title="API requests"
      description="Requests with a platform key or a channel key, by the status of the response. They appear within seconds."
    >
      <div className="space-y-6">
        <Filters
          interval={interval}
          keyId={keyId}
          keys={all.data?.keys ?? []}
          onChange={(changes) => change(changes)}
        />
        <QueryContent query={query} loading={<Skeleton className="h-80" />}>
          {(history) =>
            history.totals.requests === 0 ? (
              <EmptyState icon={Activity} title="No requests in this period">
                No API requests in {mode} mode{keyId && " with this key"} in{" "}
                {INTERVALS.find((one) => one.interval === history.interval)?.period}.
              </EmptyState>
            ) : (
              <div className={cn("space-y-6", query.isPlaceholderData && "opacity-60 transition-opacity")}>
                <History history={history} />
              </div>
            )
          }
        </QueryContent>
      </div>
    </Section>
  );
}

function useHistory(asked: { interval: Interval; mode: "test" | "live"; key_id?: string }) {
  return useQueryOf("getRequestCounts", asked, {
    // A rejected request would be rejected again.
    refetchInterval: refreshEvery(REFRESH_MS),
    placeholderData: (previous) => previous,
  });
}

interface FiltersProps {
  interval: Interval;
  keyId: string;
  keys: readonly UsedKey[];
  onChange: (changes: Record<string, string>) => void;
}

const Filters = ({ interval, keyId, keys, onChange }: FiltersProps) => (
  <div className="flex flex-wrap items-end justify-between gap-3">
    <ChoiceButtons
      legend="Period"
      choices={INTERVALS}
      isChosen={(choice) => choice.interval === interval}
      onChoose={(choice) => onChange({ interval: choice.interval })}
    />
    <SelectField
      name="key"
      label="Key"
      className="w-full sm:w-80"
      value={keyId}
      onChange={(event) => onChange({ key: event.target.value })}
    >
      <option value="">All keys</option>
      {keyId !== "" && !keys.some(({ id }) => id === keyId) && <option value={keyId}>{keyId}</option>}
      {keys.map((key) => (
        <option key={key.id} value={key.id}>
          {keyText(key)} ({kindText(key)})
        </option>
      ))}
    </SelectField>
  </div>
);

function History({ history: { rows, totals, keys, keys_total, interval } }: { history: RequestHistoryData }) {
  const timezone = browserTimezone();
  const textOf = (start: string) => startText(start, interval, timezone);
  const points = rows.map(({ start, ...counts }) => ({ x: start, ...counts }));
  return (
    <>
      <TrendPlot
        label={`API requests by ${interval} and status of the response. The table below has the same figures.`}
        points={points}
        series={STATUS_COLUMNS.map(({ key, label }) => ({ key, label }))}
        unit={{ kind: "count" }}
        formatX={textOf}
        openX={rows.at(-1)?.start}
        openLabel={interval === "day" ? "Today so far, in UTC" : "This hour so far"}
      />
      <PlotTable
        summary={`Figures by ${interval}`}
        caption={`API requests by ${interval}`}
        heading={interval === "day" ? "Day (UTC)" : `Hour (${timezone})`}
        points={points}
        formatX={textOf}
        columns={COUNT_COLUMNS}
      />
      <div className="space-y-2">
        <Table caption="API requests by key" columns={[{ label: "Key" }, { label: "Type" }, ...COUNT_HEADINGS]}>
          {keys.map((key) => (
            <Row key={key.id}>
              <RowHeading className="min-w-44">{keyText(key)}</RowHeading>
              <Cell className="whitespace-nowrap text-muted-foreground">{kindText(key)}</Cell>
              <CountCells counts={key} />
            </Row>
          ))}
          <Row className="border-t-2 bg-muted/40">
            <RowHeading>Total</RowHeading>
            <Cell />
            <CountCells counts={totals} />
          </Row>
        </Table>
        {keys_total > keys.length && (
          <p className="text-muted-foreground text-xs">
            The {formatCount(keys.length)} keys with the most requests of {formatCount(keys_total)}; the total includes
            all.
          </p>
        )}
      </div>
    </>
  );
}

type Counts = RequestHistoryData["totals"];

const COUNT_COLUMNS: { label: string; title?: string; of: (counts: Counts) => string }[] = [
  { label: "Requests", of: ({ requests }) => formatCount(requests) },
  {
    label: "Error rate",
    of: ({ requests, errors }) => formatRate(requests > 0 ? errors / requests : null),
  },
  ...STATUS_COLUMNS.map(({ key, short, label }) => ({
    label: short,
    title: label,
    of: (counts: Counts) => formatCount(counts[key]),
  })),
];
const COUNT_HEADINGS = COUNT_COLUMNS.map(({ label, title }) => ({ label, title, numeric: true }));

const CountCells = ({ counts }: { counts: Counts }) =>
  COUNT_COLUMNS.map(({ label, of }) => (
    <Cell key={label} numeric>
      {of(counts)}
    </Cell>
  ));
