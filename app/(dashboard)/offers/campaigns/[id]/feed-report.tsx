"use client";

import { useEffect, useRef, useState } from "react";
import { Alert } from "../../../../components/ui/alert";
import { Button } from "../../../../components/ui/button";
import { Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { formatCount } from "../../../../format/numbers";
import { type FeedResult, parseFeedError } from "./upload-feed";

const SHOWN_STEP = 20;
const COLUMNS = [{ label: "Line", numeric: true }, { label: "Field" }, { label: "What is wrong" }];

/** The result of a feed upload, with the rejected lines and the ignored fields by line number. */
export function FeedReport({ result }: { result: FeedResult }) {
  const { accepted, rejected, errors, errors_truncated = false, warned = 0, warnings = [] } = result;
  const report = useRef<HTMLElement>(null);
  // The upload button is recreated, so the focus must move.
  useEffect(() => report.current?.focus(), []);
  return (
    <section ref={report} tabIndex={-1} aria-label="What became of the feed" className="space-y-3 rounded-lg">
      <Alert tone={rejected > 0 ? "warn" : "good"}>
        {formatCount(accepted)} {accepted === 1 ? "product was" : "products were"} accepted
        {rejected > 0
          ? `, ${formatCount(rejected)} rejected and left unchanged. Fix these lines and upload the file again.`
          : "."}
      </Alert>
      <Lines caption="Rejected lines" lines={errors} hasMore={errors_truncated} />
      <Lines caption="Ignored fields" lines={warnings} hasMore={warned > warnings.length} />
    </section>
  );
}

interface LinesProps {
  caption: "Rejected lines" | "Ignored fields";
  lines: FeedResult["errors"];
  /** There are more than `lines`. */
  hasMore: boolean;
}

function Lines({ caption, lines, hasMore }: LinesProps) {
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

function Line({ line, message }: FeedResult["errors"][number]) {
  const { field, problem } = parseFeedError(message);
  return (
    <Row>
      <RowHeading className="min-w-0 text-right tabular-nums">{formatCount(line)}</RowHeading>
      <Cell className="font-mono text-xs">{field ?? <span className="text-muted-foreground">whole line</span>}</Cell>
      <Cell className="break-words">{problem}</Cell>
    </Row>
  );
}
