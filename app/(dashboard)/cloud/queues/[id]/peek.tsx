import { ChevronRight, Inbox, RefreshCw } from "lucide-react";
import { useState } from "react";
import { SelectField } from "../../../../components/form/fields";
import { QueryContent } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { CodeBlock } from "../../../../components/ui/code-block";
import { EmptyState } from "../../../../components/ui/empty-state";
import { countText } from "../../../../format/count-text";
import { formatDateTime, formatRelativeTime } from "../../../../format/dates";
import { useQueryOf } from "../../../../trpc/use-operation";
import { FactLine, FactLines } from "../../../components/facts";
import type { Queue } from "../queue";
import { bodyText, type PeekedMessage, previewOf, STATES } from "./message-text";

const COUNTS = [10, 50, 100];

/** The oldest messages of the queue, as they were when the list was loaded. */
export function Peek({ queue: { id } }: { queue: Queue }) {
  const [count, setCount] = useState(10);
  const query = useQueryOf("peekMessages", { q: id, max_messages: count });
  return (
    <Section
      title="Oldest messages"
      description="Looking at messages changes nothing: it is no receive, and consumers get them as before."
      actions={
        <Button variant="outline" size="sm" pending={query.isFetching} onClick={() => void query.refetch()}>
          {!query.isFetching && <RefreshCw aria-hidden />}
          Refresh
        </Button>
      }
    >
      <div className="space-y-4">
        <SelectField
          name="count"
          label="Show at most"
          className="w-40"
          value={count}
          onChange={(event) => setCount(Number(event.target.value))}
          choices={COUNTS.map((each) => ({ value: each, label: `${each} messages` }))}
        />
        <QueryContent query={query}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon={Inbox} title="The queue is empty">
                Messages that are sent to the queue stay here until they are acknowledged.
              </EmptyState>
            ) : (
              <ol aria-label="Oldest messages" className="divide-y overflow-hidden rounded-lg border">
                {data.map((message) => (
                  <MessageItem key={message.id} message={message} />
                ))}
              </ol>
            )
          }
        </QueryContent>
      </div>
    </Section>
  );
}

function MessageItem({ message }: { message: PeekedMessage }) {
  const { id, body, state, receive_count, sent_at, group_id } = message;
  const [open, setOpen] = useState(false);
  const { label, tone } = STATES[state];
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
        <summary className="grid cursor-pointer list-none grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 px-3 py-2.5 text-sm hover:bg-muted/40 md:grid-cols-[auto_minmax(0,1fr)_auto] [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="mt-0.5 size-4 text-muted-foreground group-open:rotate-90" />
          <span className="truncate font-mono text-[13px]">{previewOf(body)}</span>
          <span className="col-start-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted-foreground text-xs md:col-start-3">
            {receive_count > 0 && <span>received {countText(receive_count, "time")}</span>}
            <span>{formatRelativeTime(sent_at)}</span>
            <Badge tone={tone}>{label}</Badge>
          </span>
        </summary>
        {/* Bodies may have 256 KiB each: only those that are looked at are drawn. */}
        {open && (
          <div className="space-y-3 border-t bg-muted/25 px-3 py-3">
            <FactLines>
              <FactLine name="ID" isCode>
                {id}
              </FactLine>
              <FactLine name="Group">{group_id ?? "none (the queue's default group)"}</FactLine>
              <FactLine name="Sent">{formatDateTime(sent_at)}</FactLine>
              <FactLine name="Receives">{receive_count}</FactLine>
            </FactLines>
            <CodeBlock label={typeof body === "string" ? "Body, text" : "Body, JSON"} code={bodyText(body)} />
          </div>
        )}
      </details>
    </li>
  );
}
