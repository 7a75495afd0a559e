import type { ReactNode } from "react";
import { cn } from "../../components/ui/cn";

export interface ShownFigure {
  label: string;
  value: string;
  note?: ReactNode;
}

interface FiguresProps {
  /** What the page or the part is about. */
  main: ShownFigure;
  /** What it consists of, or other figures of the same period. */
  parts: readonly ShownFigure[];
  /** On a page whose largest figure is another one. */
  isSecondary?: boolean;
}

/** One large figure, and beside it smaller ones. */
export const Figures = ({ main, parts, isSecondary }: FiguresProps) => (
  <div className="flex flex-col gap-5 lg:flex-row lg:items-start lg:gap-10">
    <dl className="shrink-0">
      <dt className="text-muted-foreground text-sm">{main.label}</dt>
      <dd
        className={cn(
          "break-words font-semibold tabular-nums tracking-tight",
          isSecondary ? "text-2xl" : "mt-0.5 text-4xl",
        )}
      >
        {main.value}
      </dd>
      {main.note && <dd className="mt-1 text-muted-foreground text-xs">{main.note}</dd>}
    </dl>
    <FigureList figures={parts} className="lg:border-l lg:pl-10" />
  </div>
);

/** Figures of equal weight, side by side. */
export const FigureList = ({ figures, className }: { figures: readonly ShownFigure[]; className?: string }) => (
  <dl className={cn("grid grid-cols-2 gap-x-8 gap-y-4 sm:flex sm:flex-wrap sm:gap-x-10", className)}>
    {figures.map(({ label, value, note }) => (
      <div key={label} className="min-w-0 sm:max-w-52">
        <dt className="text-muted-foreground text-sm">{label}</dt>
        <dd className="mt-1 break-words font-medium text-lg tabular-nums">{value}</dd>
        {note && <dd className="text-muted-foreground text-xs">{note}</dd>}
      </div>
    ))}
  </dl>
);
