"use client";

import type { ReactNode } from "react";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { deviceOf } from "../components/device-of";
import type { AuditEntry } from "./audit-entry";
import { actorName, type Change, entryDetails, humanize } from "./audit-text";

interface EntryDetailsProps {
  entry: AuditEntry;
  onChoose: (changes: Record<string, string>) => void;
}

/** The changes, the actor, the request, and the entry's position in the chain. */
export function EntryDetails({ entry, onChoose }: EntryDetailsProps) {
  const { changes, rest } = entryDetails(entry);
  return (
    <div className="space-y-5 border-t bg-muted/25 px-4 py-4 text-sm md:pl-11">
      {changes.length > 0 && <ChangeTable changes={changes} />}
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-2">
        <Facts title="Action">
          <Fact name="Action">
            <Choose onClick={() => onChoose({ action: entry.action })}>{entry.action}</Choose>
          </Fact>
          {entry.targets.map(({ type, id, name }) => (
            <Fact key={id} name={humanize(type)}>
              {name && <span className="mr-2">{name}</span>}
              <Choose onClick={() => onChoose({ target: id })}>{id}</Choose>
            </Fact>
          ))}
          <Fact name="By">
            <span className="mr-2">{actorName(entry.actor)}</span>
            {entry.actor.name && entry.actor.id && (
              <Choose onClick={() => onChoose({ actor: entry.actor.id ?? "" })}>{entry.actor.id}</Choose>
            )}
          </Fact>
          {rest.map(([name, value]) => (
            <Fact key={name} name={humanize(name)}>
              {value}
            </Fact>
          ))}
        </Facts>
        <Facts title="Request">
          <Context context={entry.context} />
        </Facts>
      </div>
      <Facts title="Hash chain">
        <Fact name="Sequence">
          {entry.sequence}, at {entry.at}
        </Fact>
        <Fact name="Hash" isCode>
          {entry.hash}
        </Fact>
        <Fact name="Previous hash" isCode>
          {entry.previous_hash || "none (first entry)"}
        </Fact>
      </Facts>
    </div>
  );
}

function Context({ context: { request_id, address, user_agent } }: Pick<AuditEntry, "context">) {
  if (!request_id && !address) return <Fact name="Request">none</Fact>;
  return (
    <>
      <Fact name="Address" isCode>
        {address}
      </Fact>
      {user_agent && (
        <Fact name="User agent">
          {deviceOf(user_agent)}
          {deviceOf(user_agent) !== user_agent && (
            <span className="block text-muted-foreground text-xs">{user_agent}</span>
          )}
        </Fact>
      )}
      <Fact name="Request ID" isCode>
        {request_id}
      </Fact>
    </>
  );
}

const COLUMNS = [{ label: "Field" }, { label: "From" }, { label: "To" }];

const ChangeTable = ({ changes }: { changes: Change[] }) => (
  <Table caption="What changed" columns={COLUMNS}>
    {changes.map(({ field, from, to }) => (
      <Row key={field}>
        <RowHeading className="align-top font-mono text-xs">{field}</RowHeading>
        <Cell className="min-w-32 break-words align-top text-muted-foreground">{from}</Cell>
        <Cell className="min-w-32 break-words align-top">{to}</Cell>
      </Row>
    ))}
  </Table>
);

const Facts = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="min-w-0 space-y-2">
    <h2 className="font-medium text-muted-foreground text-xs">{title}</h2>
    <dl className="grid gap-x-4 gap-y-0.5 sm:gap-y-1.5 sm:grid-cols-[6.5rem_minmax(0,1fr)]">{children}</dl>
  </section>
);

const Fact = ({ name, isCode = false, children }: { name: string; isCode?: boolean; children: ReactNode }) => (
  <>
    <dt className="text-muted-foreground max-sm:mt-2">{name}</dt>
    <dd className={isCode ? "break-all font-mono text-xs leading-5" : "min-w-0 break-words"}>{children}</dd>
  </>
);

const Choose = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button
    type="button"
    className={`${ROW_LINK_STYLE} break-all text-left font-mono text-xs underline decoration-dotted`}
    title="Show only entries with this"
    onClick={onClick}
  >
    {children}
  </button>
);
