import type { ReactNode } from "react";
import { DataTable } from "../../components/data-table";
import { FactLine, FactLines } from "../../components/facts";
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
        <Part title="Action">
          <FactLine name="Action">
            <Choose onClick={() => onChoose({ action: entry.action })}>{entry.action}</Choose>
          </FactLine>
          {entry.targets.map(({ type, id, name }) => (
            <FactLine key={id} name={humanize(type)}>
              {name && <span className="mr-2">{name}</span>}
              <Choose onClick={() => onChoose({ target: id })}>{id}</Choose>
            </FactLine>
          ))}
          <FactLine name="By">
            <span className="mr-2">{actorName(entry.actor)}</span>
            {entry.actor.name && entry.actor.id && (
              <Choose onClick={() => onChoose({ actor: entry.actor.id ?? "" })}>{entry.actor.id}</Choose>
            )}
          </FactLine>
          {rest.map(([name, value]) => (
            <FactLine key={name} name={humanize(name)}>
              {value}
            </FactLine>
          ))}
        </Part>
        <Part title="Request">
          <Context context={entry.context} />
        </Part>
      </div>
      <Part title="Hash chain">
        <FactLine name="Sequence">
          {entry.sequence}, at {entry.at}
        </FactLine>
        <FactLine name="Hash" isCode>
          {entry.hash}
        </FactLine>
        <FactLine name="Previous hash" isCode>
          {entry.previous_hash || "none (first entry)"}
        </FactLine>
      </Part>
    </div>
  );
}

function Context({ context: { request_id, address, user_agent } }: Pick<AuditEntry, "context">) {
  if (!request_id && !address) return <FactLine name="Request">none</FactLine>;
  return (
    <>
      <FactLine name="Address" isCode>
        {address}
      </FactLine>
      {user_agent && (
        <FactLine name="User agent">
          {deviceOf(user_agent)}
          {deviceOf(user_agent) !== user_agent && (
            <span className="block text-muted-foreground text-xs">{user_agent}</span>
          )}
        </FactLine>
      )}
      <FactLine name="Request ID" isCode>
        {request_id}
      </FactLine>
    </>
  );
}

const ChangeTable = ({ changes }: { changes: Change[] }) => (
  <DataTable
    caption="What changed"
    rows={changes}
    keyOf={({ field }) => field}
    columns={[
      { label: "Field", className: "align-top font-mono text-xs", cell: ({ field }) => field },
      { label: "From", className: "min-w-32 break-words align-top text-muted-foreground", cell: ({ from }) => from },
      { label: "To", className: "min-w-32 break-words align-top", cell: ({ to }) => to },
    ]}
  />
);

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="min-w-0 space-y-2">
    <h2 className="font-medium text-muted-foreground text-xs">{title}</h2>
    <FactLines>{children}</FactLines>
  </section>
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
