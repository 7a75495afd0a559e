import { formatCount } from "../../../../format/numbers";
import { RejectedLines } from "./feed-report";
import type { LastImport as Result } from "./feed-schedule-text";

/** The rejected lines and ignored fields of the last fetched feed; nothing if it has none. */
export function LastImport({ result }: { result: Result }) {
  const { rejected, warned = 0 } = result;
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
      <RejectedLines result={result} />
    </details>
  );
}
