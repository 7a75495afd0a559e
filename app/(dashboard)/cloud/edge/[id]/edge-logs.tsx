import { QuerySection } from "../../../../components/query-content";
import { formatDateTime } from "../../../../format/dates";
import { refreshEvery } from "../../../../trpc/query-client";
import { useQueryOf } from "../../../../trpc/use-operation";
import { LogWindow } from "../../pods/[id]/log-window";
import type { EdgeFunction } from "../edge-function";

const REFRESH_MS = 2000;
const LINES = 200;

/** The newest requests and what the code printed, loaded again and again. */
export function EdgeLogs({ of: { id } }: { of: EdgeFunction }) {
  const query = useQueryOf("readEdgeLogs", { id, lines: LINES }, { refetchInterval: refreshEvery(REFRESH_MS) });
  return (
    <QuerySection title="Logs" description="Requests and what the code printed, of the last day." query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-muted-foreground text-sm">No requests yet.</p>
        ) : (
          <LogWindow label="Log lines" text={data.map(textOf).join("\n")} />
        )
      }
    </QuerySection>
  );
}

const textOf = ({ at, level, version, text }: { at: string; level: string; version: number; text: string }): string =>
  `${formatDateTime(at)}  v${version}  ${level.padEnd(7)}  ${text}`;
