interface Figure {
  label: string;
  value: string;
  note?: string | undefined;
}

interface BalanceFiguresProps {
  /** What the part is about. */
  main: Omit<Figure, "note">;
  /** What it consists of. */
  parts: readonly Figure[];
}

/** One large figure, and beside it the amounts behind it. */
export const BalanceFigures = ({ main, parts }: BalanceFiguresProps) => (
  <div className="flex flex-col gap-5 lg:flex-row lg:items-start lg:gap-12">
    <dl>
      <dt className="text-muted-foreground text-sm">{main.label}</dt>
      <dd className="break-words font-semibold text-4xl tabular-nums tracking-tight">{main.value}</dd>
    </dl>
    <dl className="grid grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-3">
      {parts.map(({ label, value, note }) => (
        <div key={label}>
          <dt className="text-muted-foreground text-sm">{label}</dt>
          <dd className="mt-1 font-medium text-lg tabular-nums">{value}</dd>
          {note && <dd className="text-muted-foreground text-xs">{note}</dd>}
        </div>
      ))}
    </dl>
  </div>
);
