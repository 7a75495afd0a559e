import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { saveCsv } from "../../../../components/save-csv";
import { Alert } from "../../../../components/ui/alert";
import { Button } from "../../../../components/ui/button";
import { csvOf } from "../../../../format/csv";
import { formatCount } from "../../../../format/numbers";
import { type Columns, DataTable } from "../../../components/data-table";
import { type FeedResult, parseFeedError, rejectedRows } from "./upload-feed";

const SHOWN_STEP = 20;

interface FeedReportProps {
  result: FeedResult;
  /** The feed was not read to its end. */
  isUnfinished?: boolean;
}

/** The result of a feed upload, with the rejected lines, the ignored fields and the repeated ids by line number. */
export function FeedReport({ result, isUnfinished = false }: FeedReportProps) {
  const report = useRef<HTMLElement>(null);
  // The upload button is recreated, so the focus must move; an error moves it to its field.
  useEffect(() => {
    if (!isUnfinished) report.current?.focus();
  }, [isUnfinished]);
  return (
    <section ref={report} tabIndex={-1} aria-label="Feed result" className="space-y-3 rounded-lg">
      <Alert tone={isUnfinished || result.rejected > 0 ? "warn" : "good"}>{summaryOf(result, isUnfinished)}</Alert>
      <RejectedLines result={result} />
    </section>
  );
}

function summaryOf({ accepted, rejected }: FeedResult, isUnfinished: boolean): string {
  const imported = `${formatCount(accepted)} ${accepted === 1 ? "product" : "products"} imported`;
  const counts = rejected > 0 ? `${imported}, ${formatCount(rejected)} rejected.` : `${imported}.`;
  if (isUnfinished) return `${counts} The rest of the file was not read. Fix the file and upload it again.`;
  return rejected > 0 ? `${counts} Fix these lines and upload the file again.` : counts;
}

/** The rejected lines, to download as well, and what was ignored in others. */
export function RejectedLines({
  result,
}: {
  result: Pick<FeedResult, "errors" | "errors_truncated" | "warned" | "warnings">;
}) {
  const { errors, errors_truncated = false, warned = 0, warnings = [] } = result;
  return (
    <>
      <Lines caption="Rejected lines" lines={errors} hasMore={errors_truncated} />
      <Lines caption="Warnings" lines={warnings} hasMore={warned > warnings.length} />
      {errors.length > 0 && (
        <Button
          variant="outline"
          size="sm"
          onClick={() => saveCsv(csvOf(rejectedRows(errors)), "rejected-lines.csv")}
          icon={Download}
        >
          Download rejected lines (CSV)
        </Button>
      )}
    </>
  );
}

interface LinesProps {
  caption: "Rejected lines" | "Warnings";
  lines: FeedResult["errors"];
  /** There are more than `lines`. */
  hasMore: boolean;
}

const COLUMNS: Columns<FeedResult["errors"][number]> = [
  { label: "Line", numeric: true, className: "min-w-0 text-right tabular-nums", cell: ({ line }) => formatCount(line) },
  { label: "ID", className: "max-w-48 break-words font-mono text-xs", cell: ({ id }) => id ?? "–" },
  {
    label: "Field",
    className: "font-mono text-xs",
    cell: ({ message }) => parseFeedError(message).field ?? "whole line",
  },
  { label: "What is wrong", className: "break-words", cell: ({ message }) => parseFeedError(message).problem },
];

function Lines({ caption, lines, hasMore }: LinesProps) {
  const [shown, setShown] = useState(SHOWN_STEP);
  if (lines.length === 0) return null;
  return (
    <>
      <DataTable
        caption={caption}
        rows={lines.slice(0, shown)}
        keyOf={({ line, message }) => `${line} ${message}`}
        columns={COLUMNS}
      />
      {lines.length > shown && (
        <Button variant="outline" size="sm" onClick={() => setShown(shown + SHOWN_STEP)}>
          Show more of {formatCount(lines.length)} {caption.toLowerCase()}
        </Button>
      )}
      {hasMore && <p className="text-muted-foreground text-sm">There are more: only the first 1,000 are listed.</p>}
    </>
  );
}
