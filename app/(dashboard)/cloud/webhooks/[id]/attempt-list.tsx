import { Badge } from "../../../../components/ui/badge";
import { formatDateTimeSeconds } from "../../../../format/dates";
import { ResponseText } from "../../components/response-text";
import { type Attempt, latencyText } from "./delivery";

/** The attempts of a delivery, newest first. */
export const AttemptList = ({ attempts }: { attempts: readonly Attempt[] }) =>
  attempts.length === 0 ? (
    <p className="text-muted-foreground text-sm">None yet.</p>
  ) : (
    <ol aria-label="Attempts, newest first" className="divide-y rounded-lg border">
      {[...attempts].reverse().map((attempt) => (
        <li key={attempt.id} className="space-y-2 p-3 text-sm">
          <AttemptLine attempt={attempt} />
          {attempt.error && <p className="break-words text-destructive">{attempt.error}</p>}
          <ResponseText text={attempt.response_body} label={`Response to attempt ${attempt.number}`} />
        </li>
      ))}
    </ol>
  );

const AttemptLine = ({ attempt: { number, error, status_code, latency_ms, started_at } }: { attempt: Attempt }) => (
  <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <span className="font-medium">Attempt {number}</span>
    <Badge tone={error === null ? "good" : "bad"}>{status_code ?? "no response"}</Badge>
    <span className="text-muted-foreground tabular-nums">{latencyText(latency_ms)}</span>
    <time dateTime={started_at} className="text-muted-foreground">
      {formatDateTimeSeconds(started_at)}
    </time>
  </p>
);
