import { Alert } from "../../../../components/ui/alert";
import { Card } from "../../../../components/ui/card";
import { countText } from "../../../../format/count-text";
import { formatDateTime, formatRelativeTime } from "../../../../format/dates";
import { formatAge } from "../../../../format/durations";
import { formatRatePrice } from "../../../../format/money";
import { Figures } from "../../../components/figures";
import { costText, gpuText, isActive, noticeText, type Pod, stateText } from "../pod";

/** What the pod does, how long it ran and what that costs; `at` is when it was read, in milliseconds since 1970. */
export function PodSummary({ pod, at }: { pod: Pod; at: number }) {
  const { tone, text } = stateText(pod);
  const notice = noticeText(pod, at);
  const price = formatRatePrice(Number(pod.price_per_hour), pod.currency);
  return (
    <>
      <div className="space-y-3">
        <Alert tone={tone}>{text}</Alert>
        {notice !== undefined && <Alert tone="warn">{notice}</Alert>}
        {pod.simulated && (
          <Alert tone="warn">
            The GPUs ({gpuText(pod)}) are simulated: they are reserved and metered, but the process has none.
          </Alert>
        )}
      </div>
      <Card className="p-4 sm:p-6">
        <Figures
          main={{ label: "Cost so far", value: costText(pod), note: `${price} per hour` }}
          parts={[
            { label: isActive(pod) ? "Runs for" : "Ran for", value: runtimeText(pod, at), note: startText(pod) },
            {
              label: "Metered",
              value: countText(pod.metered_seconds, "second"),
              note: `over ${countText(pod.runs, "run")}`,
            },
            {
              label: "Expires",
              value: formatRelativeTime(pod.expires_at, new Date(at)),
              note: formatDateTime(pod.expires_at),
            },
          ]}
        />
      </Card>
    </>
  );
}

const MS = 1000;

/** Of the last run. */
function runtimeText({ started_at, stopped_at }: Pod, at: number): string {
  if (started_at === null) return "–";
  const until = stopped_at === null ? at : Date.parse(stopped_at);
  return formatAge(Math.max(0, Math.floor((until - Date.parse(started_at)) / MS)));
}

const startText = ({ started_at }: Pod): string =>
  started_at === null ? "has not started" : `started ${formatDateTime(started_at)}`;
