"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { SelectField } from "../../../components/form/fields";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { formatCount } from "../../../format/numbers";
import { useTRPC } from "../../../trpc/client";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { CATEGORY_LABELS, type Finding, SEVERITIES, SEVERITY_TONES } from "./shield";

const REFRESH_MS = 5000;
const PAGE_ROWS = 50;
const NO_FILTERS = { severity: "", category: "" };
const CATEGORIES = Object.keys(CATEGORY_LABELS) as Finding["category"][];

/** The open findings of the mode; the filters are in the URL. */
export function FindingList() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const severity = SEVERITIES.find((one) => one === params.get("severity"));
  const category = CATEGORIES.find((one) => one === params.get("category"));
  const query = useInfiniteQuery(
    trpc.listShieldFindings.infiniteQueryOptions(
      { mode, limit: PAGE_ROWS, ...(severity && { severity }), ...(category && { category }) },
      { getNextPageParam: nextCursor, refetchInterval: REFRESH_MS, placeholderData: (previous) => previous },
    ),
  );
  return (
    <section aria-labelledby="findings" className="space-y-4">
      <h2 id="findings" className="font-semibold text-lg">
        Open findings
      </h2>
      <div className="grid gap-3 min-[26rem]:grid-cols-2 sm:max-w-xl">
        <SelectField
          name="severity"
          label="Severity"
          value={severity ?? ""}
          onChange={(event) => change({ severity: event.target.value })}
        >
          <option value="">All severities</option>
          {SEVERITIES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
        <SelectField
          name="category"
          label="Kind"
          value={category ?? ""}
          onChange={(event) => change({ category: event.target.value })}
        >
          <option value="">All kinds</option>
          {CATEGORIES.map((one) => (
            <option key={one} value={one}>
              {CATEGORY_LABELS[one]}
            </option>
          ))}
        </SelectField>
      </div>
      <PagedContent
        query={query}
        empty={
          <NoFindings isFiltered={severity !== undefined || category !== undefined} clear={() => change(NO_FILTERS)} />
        }
      >
        {(findings) => <FindingTable findings={findings} />}
      </PagedContent>
    </section>
  );
}

function NoFindings({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  const { mode } = useMode();
  if (!isFiltered) {
    return (
      <EmptyState icon={ShieldCheck} title={`No open findings in ${mode} mode`}>
        What scans find appears here while they run.
      </EmptyState>
    );
  }
  const action = (
    <Button variant="outline" onClick={clear}>
      Clear filters
    </Button>
  );
  return (
    <EmptyState icon={ShieldCheck} title="No matching findings" action={action}>
      No open finding of {mode} mode matches these filters.
    </EmptyState>
  );
}

const COLUMNS = [
  { label: "Finding" },
  { label: "Severity" },
  { label: "Where" },
  { label: "Evidence", title: "The first and last characters of the value, never the value" },
  { label: "First seen" },
];

const FindingTable = ({ findings }: { findings: Finding[] }) => (
  <Table caption="Findings" columns={COLUMNS}>
    {findings.map((finding) => (
      <FindingRow key={finding.id} finding={finding} />
    ))}
  </Table>
);

const FindingRow = ({ finding }: { finding: Finding }) => (
  <Row>
    <RowHeading className="min-w-52 max-w-80">
      {finding.title}
      <span className="block font-normal text-muted-foreground text-xs">{finding.remedy}</span>
    </RowHeading>
    <Cell>
      <Badge tone={SEVERITY_TONES[finding.severity]}>{finding.severity}</Badge>
      {finding.confidence === "low" && <span className="block text-muted-foreground text-xs">unlikely</span>}
    </Cell>
    <Cell className="min-w-40 max-w-72 wrap-anywhere">
      {finding.key ?? "the whole bucket"}
      <span className="block text-muted-foreground text-xs">
        {finding.bucket}
        {finding.offset !== null && `, byte ${formatCount(finding.offset)}`}
        {finding.occurrences > 1 && finding.key !== null && `, ${formatCount(finding.occurrences)} times`}
      </span>
    </Cell>
    <Cell className="min-w-40 font-mono text-xs">{finding.evidence}</Cell>
    <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(finding.first_seen_at)}</Cell>
  </Row>
);
