"use client";

import { Download } from "lucide-react";
import { saveCsv } from "../../../../components/save-csv";
import { Button } from "../../../../components/ui/button";
import { csvOf } from "../../../../format/csv";
import { formatCount } from "../../../../format/numbers";
import { Lines } from "./feed-report";
import type { LastImport as Result } from "./feed-schedule-text";
import { rejectedRows } from "./upload-feed";

/** The rejected lines and ignored fields of the last fetched feed; nothing if it has none. */
export function LastImport({ result }: { result: Result }) {
  const { errors, errors_truncated = false, rejected, warned = 0, warnings = [] } = result;
  if (rejected === 0 && warned === 0) return null;
  const counts = [
    ...(rejected > 0 ? [`${formatCount(rejected)} rejected ${rejected === 1 ? "line" : "lines"}`] : []),
    ...(warned > 0 ? [`${formatCount(warned)} ignored ${warned === 1 ? "field" : "fields"}`] : []),
  ];
  return (
    <details className="space-y-3">
      <summary className="cursor-pointer text-sm underline-offset-4 hover:underline">
        {counts.join(" and ")} in the last fetched feed
      </summary>
      <Lines caption="Rejected lines" lines={errors} hasMore={errors_truncated} />
      <Lines caption="Ignored fields" lines={warnings} hasMore={warned > warnings.length} />
      {errors.length > 0 && (
        <Button variant="outline" size="sm" onClick={() => saveCsv(csvOf(rejectedRows(errors)), "rejected-lines.csv")}>
          <Download aria-hidden />
          Download rejected lines (CSV)
        </Button>
      )}
    </details>
  );
}
