"use client";

import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { saveCsv } from "../../../../components/save-csv";
import { Alert } from "../../../../components/ui/alert";
import { Button } from "../../../../components/ui/button";
import { Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { csvOf } from "../../../../format/csv";
import { formatCount } from "../../../../format/numbers";
import { type FeedResult, parseFeedError, rejectedRows } from "./upload-feed";

const SHOWN_STEP = 20;
const COLUMNS = [{ label: "Line", numeric: true }, { label: "ID" }, { label: "Field" }, { label: "What is wrong" }];

interface FeedReportProps {
  result: FeedResult;
  /** The feed was not read to its end. */
  isUnfinished?: boolean;
}

/** The result of a feed upload, with the rejected lines and the ignored fields by line number. */
export function FeedReport({ result, isUnfinished = false }: FeedReportProps) {
  const { errors, errors_truncated = false, warned = 0, warnings = [] } = result;
  const report = useRef<HTMLElement>(null);
  // The upload button is recreated, so the focus must move; an error moves it to its field.
  useEffect(() => {
    if (!isUnfinished) report.current?.focus();
  }, [isUnfinished]);
  return (
    <section ref={report} tabIndex={-1} aria-label="Feed result" className="space-y-3 rounded-lg">
      <Alert tone={isUnfinished || result.rejected > 0 ? "warn" : "good"}>{summaryOf(result, isUnfinished)}</Alert>
      <Lines caption="Rejected lines" lines={errors} hasMore={errors_truncated} />
      <Lines caption="Ignored fields" lines={warnings} hasMore={warned > warnings.length} />
      {errors.length > 0 && (
        <Button variant="outline" size="sm" onClick={() => saveCsv(csvOf(rejectedRows(errors)), "rejected-lines.csv")}>
          <Download aria-hidden />
          Download rejected lines (CSV)
        </Button>
      )}
    </section>
  );
}

function summaryOf({ accepted, rejected }: FeedResult, isUnfinished: boolean): string {
  const imported = `${formatCount(accepted)} ${accepted === 1 ? "product" : "products"} imported`;
  const counts = rejected > 0 ? `${imported}, ${formatCount(rejected)} rejected.` : `${imported}.`;
  if (isUnfinished) return `${counts} The rest of the file was not read. Fix the file and upload it again.`;
  return rejected > 0 ? `${counts} Fix these lines and upload the file again.` : counts;
}

interface LinesProps {
  caption: "Rejected lines" | "Ignored fields";
  lines: FeedResult["errors"];
  /** There are more than `lines`. */
  hasMore: boolean;
}

export function Lines({ caption, lines, hasMore }: LinesProps) {
  const [shown, setShown] = useState(SHOWN_STEP);
  if (lines.length === 0) return null;
  return (
    <>
      <Table caption={caption} columns={COLUMNS}>
        {lines.slice(0, shown).map((line) => (
          <Line key={`${line.line} ${line.message}`} {...line} />
        ))}
      </Table>
      {lines.length > shown && (
        <Button variant="outline" size="sm" onClick={() => setShown(shown + SHOWN_STEP)}>
          Show more of {formatCount(lines.length)} {caption.toLowerCase()}
        </Button>
      )}
      {hasMore && <p className="text-muted-foreground text-sm">There are more: only the first 1,000 are listed.</p>}
    </>
  );
}

function Line({ line, id, message }: FeedResult["errors"][number]) {
  const { field, problem } = parseFeedError(message);
  return (
    <Row>
      <RowHeading className="min-w-0 text-right tabular-nums">{formatCount(line)}</RowHeading>
      <Cell className="max-w-48 break-words font-mono text-xs">
        {id ?? <span className="text-muted-foreground">–</span>}
      </Cell>
      <Cell className="font-mono text-xs">{field ?? <span className="text-muted-foreground">whole line</span>}</Cell>
      <Cell className="break-words">{problem}</Cell>
    </Row>
  );
}
