import { ShieldCheck } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { formatCount } from "../../../format/numbers";
import { Below, type Columns, timeColumn } from "../../components/data-table";
import { choicesOf, chosenIn, type Filter } from "../../components/filters";
import { PagedList } from "../../components/paged-list";
import { pagesEvery } from "../../components/pages";
import { CATEGORY_LABELS, type Finding, SEVERITIES, SEVERITY_TONES } from "./shield";

const REFRESH_MS = 5000;
const PAGE_ROWS = 50;
const CATEGORIES = Object.keys(CATEGORY_LABELS) as Finding["category"][];

const FILTERS: readonly Filter[] = [
  { name: "severity", label: "Severity", all: "All severities", choices: choicesOf(SEVERITIES) },
  {
    name: "category",
    label: "Kind",
    all: "All kinds",
    choices: CATEGORIES.map((value) => ({ value, label: CATEGORY_LABELS[value] })),
  },
];

const COLUMNS: Columns<Finding> = [
  {
    label: "Finding",
    className: "min-w-52 max-w-80",
    cell: ({ title, remedy }) => (
      <>
        {title}
        <Below>{remedy}</Below>
      </>
    ),
  },
  {
    label: "Severity",
    cell: ({ severity, confidence }) => (
      <>
        <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>
        <Below>{confidence === "low" && "unlikely"}</Below>
      </>
    ),
  },
  {
    label: "Where",
    className: "min-w-40 max-w-72 wrap-anywhere",
    cell: (finding) => (
      <>
        {finding.key ?? "the whole bucket"}
        <Below>{placeText(finding)}</Below>
      </>
    ),
  },
  {
    label: "Evidence",
    title: "The first and last characters of the value, never the value",
    className: "min-w-40 font-mono text-xs",
    cell: ({ evidence }) => evidence,
  },
  timeColumn("First seen", ({ first_seen_at }) => first_seen_at),
];

const placeText = ({ key, bucket, offset, occurrences }: Finding): string =>
  [
    bucket,
    offset !== null && `byte ${formatCount(offset)}`,
    occurrences > 1 && key !== null && `${formatCount(occurrences)} times`,
  ]
    .filter(Boolean)
    .join(", ");

/** The open findings of the mode; the filters are in the address. */
export const FindingList = () => (
  <section aria-labelledby="findings" className="space-y-4">
    <h2 id="findings" className="font-semibold text-lg">
      Open findings
    </h2>
    <PagedList
      noun="finding"
      icon={ShieldCheck}
      emptyTitle="No open findings"
      about="What scans find appears here while they run."
      scopes="shield"
      useFilters={() => FILTERS}
      pages={({ trpc, mode, params }) =>
        trpc.listShieldFindings.infiniteQueryOptions(
          {
            mode,
            limit: PAGE_ROWS,
            severity: chosenIn(params, "severity", SEVERITIES),
            category: chosenIn(params, "category", CATEGORIES),
          },
          pagesEvery(REFRESH_MS),
        )
      }
      columns={COLUMNS}
    />
  </section>
);
