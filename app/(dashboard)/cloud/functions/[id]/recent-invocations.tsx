import { useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Dialog } from "../../../../components/ui/dialog";
import { formatDateTime } from "../../../../format/dates";
import type { Outputs } from "../../../../trpc/client";
import { useQueryOf } from "../../../../trpc/use-operation";
import { type Columns, DataTable } from "../../../components/data-table";
import type { CloudFunction } from "../function";
import { InvocationResult } from "./invocation-result";

const COLUMNS: Columns<Outputs["listFunctionInvocations"]["data"][number]> = [
  { label: "Called", className: "whitespace-nowrap", cell: ({ created_at }) => formatDateTime(created_at) },
  { label: "Cause", cell: ({ scheduled_at }) => (scheduled_at ? "Schedule" : "Request") },
  { label: "Status", cell: ({ status, error }) => <Badge tone={TONES[status]}>{error?.reason ?? status}</Badge> },
  { label: "Version", numeric: true, cell: ({ version }) => version },
  { label: "ms", numeric: true, cell: ({ duration_ms }) => duration_ms },
];
const SHOWN = 20;
const TONES = { queued: "neutral", running: "neutral", succeeded: "good", failed: "bad" } as const;

/** The last calls of the function, each with its logs. */
export function RecentInvocations({ of: { id, name } }: { of: CloudFunction }) {
  const [shown, setShown] = useState<string>();
  const query = useQueryOf("listFunctionInvocations", { id, limit: SHOWN });
  return (
    <Section title="Recent calls" description="Calls of the last day, the newest first.">
      <QueryContent query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted-foreground text-sm">No calls yet.</p>
          ) : (
            <DataTable
              caption={`Calls of ${name}`}
              rows={data}
              keyOf={(call) => call.id}
              columns={COLUMNS}
              menu={(call) => (
                <Button variant="outline" size="sm" aria-label={`Logs of ${call.id}`} onClick={() => setShown(call.id)}>
                  Logs
                </Button>
              )}
            />
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
  const query = useQueryOf("getFunctionInvocation", { id, invocation_id: invocationId });
  return <QueryContent query={query}>{(invocation) => <InvocationResult invocation={invocation} />}</QueryContent>;
}
