import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { formatDateTime, formatRelativeTime } from "../../../format/dates";
import type { AuditEntry } from "./audit-entry";
import { actorName, humanize, targetsText } from "./audit-text";
import { EntryDetails } from "./entry-details";

interface EntryListProps {
  entries: AuditEntry[];
  /** Narrows the list to what an entry names. */
  onChoose: (changes: Record<string, string>) => void;
}

/** One row per entry, which expands to its details. */
export const EntryList = ({ entries, onChoose }: EntryListProps) => (
  <ol aria-label="Audit log, newest first" className="divide-y overflow-hidden rounded-xl border bg-card shadow-xs">
    {entries.map((entry) => (
      <Entry key={entry.id} entry={entry} onChoose={onChoose} />
    ))}
  </ol>
);

function Entry({ entry, onChoose }: { entry: AuditEntry } & Pick<EntryListProps, "onChoose">) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
        <summary className="-outline-offset-2 grid cursor-pointer list-none grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 gap-y-1 px-4 py-3 text-sm transition-colors hover:bg-muted/40 md:grid-cols-[1rem_minmax(0,5fr)_minmax(0,4fr)_9.5rem] [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-4 text-muted-foreground transition-transform group-open:rotate-90"
          />
          <span className="min-w-0">
            <span className="block font-medium">{humanize(entry.action)}</span>
            <span className="block truncate text-muted-foreground text-xs">{targetsText(entry.targets)}</span>
          </span>
          <span className="col-start-2 min-w-0 truncate md:col-start-auto">{actorName(entry.actor)}</span>
          <time dateTime={entry.at} className="col-start-2 text-muted-foreground md:col-start-auto md:text-right">
            {formatRelativeTime(entry.at)}
            <span className="ml-2 text-xs md:ml-0 md:block">{formatDateTime(entry.at)}</span>
          </time>
        </summary>
        {open && <EntryDetails entry={entry} onChoose={onChoose} />}
      </details>
    </li>
  );
}
