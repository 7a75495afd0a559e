"use client";

import { useEffect, useRef, useState } from "react";
import { Alert } from "../../../components/ui/alert";
import { Button } from "../../../components/ui/button";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatCount } from "../../../format/numbers";
import { type FeedResult, problemOf } from "./upload-feed";

const SHOWN_STEP = 20;
const COLUMNS = [{ label: "Line", numeric: true }, { label: "Field" }, { label: "What is wrong" }];

/** What became of a feed's lines, with the refused ones by their number in the file. */
export function FeedReport({ result: { accepted, rejected, errors, errors_truncated } }: { result: FeedResult }) {
  const [shown, setShown] = useState(SHOWN_STEP);
  const report = useRef<HTMLElement>(null);
  // The button that sent the file is new again, so the focus would be nowhere.
  useEffect(() => report.current?.focus(), []);
  return (
    <section ref={report} tabIndex={-1} aria-label="What became of the feed" className="space-y-3 rounded-lg">
      <Alert tone={rejected > 0 ? "warn" : "good"}>
        {formatCount(accepted)} {accepted === 1 ? "product was" : "products were"} taken
        {rejected > 0
          ? `, ${formatCount(rejected)} refused and left as they were. Mend these lines and send the file again.`
          : "."}
      </Alert>
      {errors.length > 0 && (
        <>
          <Table caption="Refused lines" columns={COLUMNS}>
            {errors.slice(0, shown).map((error) => (
              <RefusedLine key={`${error.line} ${error.message}`} {...error} />
            ))}
          </Table>
          {errors.length > shown && (
            <Button variant="outline" size="sm" onClick={() => setShown(shown + SHOWN_STEP)}>
              Show more of {formatCount(errors.length)} refused lines
            </Button>
          )}
          {errors_truncated && (
            <p className="text-muted-foreground text-sm">There are more: only the first 1,000 are listed.</p>
          )}
        </>
      )}
    </section>
  );
}

function RefusedLine({ line, message }: FeedResult["errors"][number]) {
  const { field, problem } = problemOf(message);
  return (
    <Row>
      <RowHeading className="min-w-0 text-right tabular-nums">{formatCount(line)}</RowHeading>
      <Cell className="font-mono text-xs">{field ?? <span className="text-muted-foreground">whole line</span>}</Cell>
      <Cell className="break-words">{problem}</Cell>
    </Row>
  );
}
