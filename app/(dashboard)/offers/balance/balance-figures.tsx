interface Figure {
  label: string;
  value: string;
  note?: string | undefined;
}

interface BalanceFiguresProps {
  /** What the part is about. */
  main: Figure;
  /** What it consists of. */
  parts: readonly Figure[];
}

/** One large figure, and beside it the amounts behind it. */
export const BalanceFigures = ({ main, parts }: BalanceFiguresProps) => (
  <dl className="flex flex-wrap items-end gap-x-10 gap-y-4">
    <div>
      <dt className="text-muted-foreground text-sm">{main.label}</dt>
      <dd className="break-words font-semibold text-4xl tabular-nums tracking-tight">{main.value}</dd>
      {main.note && <dd className="mt-1 text-muted-foreground text-xs">{main.note}</dd>}
    </div>
    {parts.map(({ label, value, note }) => (
      <div key={label}>
        <dt className="text-muted-foreground text-sm">{label}</dt>
        <dd className="font-medium text-lg tabular-nums">{value}</dd>
        {note && <dd className="mt-1 text-muted-foreground text-xs">{note}</dd>}
      </div>
    ))}
  </dl>
);
