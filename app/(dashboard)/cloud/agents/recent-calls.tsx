import { Bot } from "lucide-react";
import { QuerySection } from "../../../components/query-content";
import { Badge } from "../../../components/ui/badge";
import { EmptyState } from "../../../components/ui/empty-state";
import { formatDateTime } from "../../../format/dates";
import type { Outputs } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { useQueryOf } from "../../../trpc/use-operation";
import { type Columns, DataTable } from "../../components/data-table";
import { useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";

const COLUMNS: Columns<Outputs["getToolCalls"]["data"][number]> = [
  { label: "Called", className: "whitespace-nowrap", cell: ({ at }) => formatDateTime(at) },
  { label: "Tool", className: "font-mono text-xs", cell: ({ tool }) => tool },
  { label: "Key", className: "break-words", cell: ({ key_name, key_id }) => key_name ?? key_id },
  { label: "Result", cell: ({ error }) => <Badge tone={error ? "bad" : "good"}>{error ?? "ok"}</Badge> },
  { label: "ms", numeric: true, cell: ({ duration_ms }) => duration_ms },
];
const SHOWN = 50;
const REFRESH_MS = 10_000;

/** The last calls of tools by the keys of the tenant, in the chosen mode; for those who see usage. */
export const RecentCalls = () => (useHasScope("usage:read") ? <Calls /> : null);

function Calls() {
  const { mode } = useMode();
  const query = useQueryOf("getToolCalls", { mode, limit: SHOWN }, { refetchInterval: refreshEvery(REFRESH_MS) });
  return (
    <QuerySection
      title="Recent calls"
      description={`The last ${SHOWN} calls of tools by API keys in ${mode} mode, at most 30 days old. Arguments and results are not kept.`}
      query={query}
    >
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState icon={Bot} title={`No calls in ${mode} mode yet`}>
            Calls appear here a few seconds after an agent has made them.
          </EmptyState>
        ) : (
          <DataTable caption="Recent calls of tools" rows={data} keyOf={({ id }) => id} columns={COLUMNS} />
        )
      }
    </QuerySection>
  );
}
