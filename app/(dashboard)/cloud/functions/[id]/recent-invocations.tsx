"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Dialog } from "../../../../components/ui/dialog";
import { Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { formatDateTime } from "../../../../format/dates";
import { useTRPC } from "../../../../trpc/client";
import type { CloudFunction } from "../function";
import { InvocationResult } from "./invocation-result";

const COLUMNS = [
  { label: "Called" },
  { label: "Cause" },
  { label: "Status" },
  { label: "Version", numeric: true },
  { label: "ms", numeric: true },
  { label: "" },
];
const SHOWN = 20;
const TONES = { queued: "neutral", running: "neutral", succeeded: "good", failed: "bad" } as const;

/** The last calls of the function, each with its logs. */
export function RecentInvocations({ of: { id, name } }: { of: CloudFunction }) {
  const trpc = useTRPC();
  const [shown, setShown] = useState<string>();
  const query = useQuery(trpc.listFunctionInvocations.queryOptions({ id, limit: SHOWN }));
  return (
    <Section title="Recent calls" description="Calls of the last day, the newest first.">
      <QueryContent query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted-foreground text-sm">No calls yet.</p>
          ) : (
            <Table caption={`Calls of ${name}`} columns={COLUMNS}>
              {data.map(({ id: invocation, status, error, version, duration_ms, ...call }) => (
                <Row key={invocation}>
                  <RowHeading className="whitespace-nowrap">{formatDateTime(call.created_at)}</RowHeading>
                  <Cell>{call.scheduled_at ? "Schedule" : "Request"}</Cell>
                  <Cell>
                    <Badge tone={TONES[status]}>{error?.reason ?? status}</Badge>
                  </Cell>
                  <Cell numeric>{version}</Cell>
                  <Cell numeric>{duration_ms}</Cell>
                  <Cell>
                    <Button
                      variant="outline"
                      size="sm"
                      aria-label={`Logs of ${invocation}`}
                      onClick={() => setShown(invocation)}
                    >
                      Logs
                    </Button>
                  </Cell>
                </Row>
              ))}
            </Table>
          )
        }
      </QueryContent>
      <Dialog
        open={shown !== undefined}
        onOpenChange={() => setShown(undefined)}
        title="Call"
        description="What the function returned and printed. Results of calls that a client waited for are not kept."
      >
        {shown && <ShownInvocation id={id} invocationId={shown} />}
      </Dialog>
    </Section>
  );
}

function ShownInvocation({ id, invocationId }: { id: string; invocationId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.getFunctionInvocation.queryOptions({ id, invocation_id: invocationId }));
  return <QueryContent query={query}>{(invocation) => <InvocationResult invocation={invocation} />}</QueryContent>;
}
