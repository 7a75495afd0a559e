"use client";

import { useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import { QueryContent } from "../../../components/query-content";
import { Badge } from "../../../components/ui/badge";
import { Section } from "../../../components/ui/card";
import { EmptyState } from "../../../components/ui/empty-state";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";

const COLUMNS = [
  { label: "Called" },
  { label: "Tool" },
  { label: "Key" },
  { label: "Result" },
  { label: "ms", numeric: true },
];
const SHOWN = 50;
const REFRESH_MS = 10_000;

/** The last calls of tools by the keys of the tenant, in the chosen mode; for those who see usage. */
export const RecentCalls = () => (useHasScope("usage:read") ? <Calls /> : null);

function Calls() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const query = useQuery(
    trpc.getToolCalls.queryOptions({ mode, limit: SHOWN }, { refetchInterval: refreshEvery(REFRESH_MS) }),
  );
  return (
    <Section
      title="Recent calls"
      description={`The last ${SHOWN} calls of tools by API keys in ${mode} mode, at most 30 days old. Arguments and results are not kept.`}
    >
      <QueryContent query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={Bot} title={`No calls in ${mode} mode yet`}>
              Calls appear here a few seconds after an agent has made them.
            </EmptyState>
          ) : (
            <Table caption="Recent calls of tools" columns={COLUMNS}>
              {data.map(({ id, at, tool, key_name, key_id, error, duration_ms }) => (
                <Row key={id}>
                  <RowHeading className="whitespace-nowrap">{formatDateTime(at)}</RowHeading>
                  <Cell className="font-mono text-xs">{tool}</Cell>
                  <Cell className="break-words">{key_name ?? key_id}</Cell>
                  <Cell>
                    <Badge tone={error ? "bad" : "good"}>{error ?? "ok"}</Badge>
                  </Cell>
                  <Cell numeric>{duration_ms}</Cell>
                </Row>
              ))}
            </Table>
          )
        }
      </QueryContent>
    </Section>
  );
}
