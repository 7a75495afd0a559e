import { QuerySection } from "../../../../components/query-content";
import { CopyButton } from "../../../../components/ui/copy-button";
import { refreshEvery } from "../../../../trpc/query-client";
import { useQueryOf } from "../../../../trpc/use-operation";
import { isActive, type Pod } from "../pod";
import { LogWindow } from "./log-window";
import { type ShownTail, shownTail, TAIL_BYTES } from "./shown-tail";

const REFRESH_MS = 2000;

/** The newest output of the last run, loaded again until the run has ended. */
export function PodLogs({ pod }: { pod: Pod }) {
  const query = useQueryOf(
    "readPodLogs",
    { id: pod.id, tail_bytes: TAIL_BYTES },
    {
      // Once more after the end, which may bring the last lines.
      refetchInterval: ({ state }) =>
        isActive(pod) || state.data?.ended === false ? refreshEvery(REFRESH_MS)({ state }) : false,
    },
  );
  const tail = query.data && shownTail(query.data.text);
  return (
    <QuerySection
      title="Output"
      description="Standard output and standard error of the last run. Values of secrets are replaced by [redacted]."
      actions={tail && tail.text !== "" && <CopyButton text={tail.text} />}
      query={query}
    >
      {({ text, ended }) => <Output tail={shownTail(text)} ended={ended} />}
    </QuerySection>
  );
}

const Output = ({ tail: { text, isCut }, ended }: { tail: ShownTail; ended: boolean }) =>
  text === "" ? (
    <p className="text-muted-foreground text-sm">
      {ended ? "The run ended without output." : "No output yet. It appears here as soon as the process prints it."}
    </p>
  ) : (
    <div className="space-y-2">
      {isCut && (
        <p className="text-muted-foreground text-xs">The newest 64 KiB are shown; the API returns up to 1 MiB.</p>
      )}
      <LogWindow text={text} />
    </div>
  );
