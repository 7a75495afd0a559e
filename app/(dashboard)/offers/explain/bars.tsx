import { cn } from "../../../components/ui/cn";

const TONES = { fit: "bg-chart-2", factor: "bg-chart-1/65", value: "bg-chart-1", price: "bg-chart-3" } as const;

export interface Bar {
  label: string;
  /** How long the bar is, 0 to 1. */
  share: number;
  /** The bar's value as text. */
  text: string;
  tone: keyof typeof TONES;
  /** A threshold on the bar, 0 to 1. */
  mark?: number | undefined;
}

/** Horizontal bars, each between its label and its value; the values carry all the information. */
export const Bars = ({ bars, className }: { bars: readonly Bar[]; className?: string }) => (
  <dl className={cn("grid grid-cols-[auto_minmax(2.5rem,1fr)_auto] items-center gap-x-3 gap-y-1 text-xs", className)}>
    {bars.map(({ label, share, text, tone, mark }) => (
      <div key={label} className="contents">
        <dt className="whitespace-nowrap text-muted-foreground">{label}</dt>
        <dd aria-hidden className="relative h-2 rounded-full bg-muted">
          <span
            className={cn("block h-full rounded-full", TONES[tone], share > 0 && "min-w-0.5")}
            style={{ width: toPercent(share) }}
          />
          {mark !== undefined && (
            <span className="absolute -inset-y-0.5 w-0.5 rounded bg-foreground" style={{ left: toPercent(mark) }} />
          )}
        </dd>
        <dd className={cn("text-right tabular-nums", (tone === "value" || tone === "price") && "font-semibold")}>
          {text}
        </dd>
      </div>
    ))}
  </dl>
);

const toPercent = (share: number): string => `${(100 * Math.min(1, Math.max(0, share))).toFixed(1)}%`;
