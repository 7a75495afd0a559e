import { cn } from "../../components/ui/cn";

/** How close usage is to its limit. */
export type Fill = "fine" | "near" | "full";

const NEAR_SHARE = 0.8;

/** Near from 80 % of the limit on, full at the limit; a limit of 0 is always full. */
export function fillOf(used: number, limit: number): Fill {
  if (used >= limit) return "full";
  return used >= NEAR_SHARE * limit ? "near" : "fine";
}

const COLOURS: Record<Fill, string> = { fine: "bg-chart-1", near: "bg-chart-3", full: "bg-chart-4" };

/** A bar that shows the used share of a limit. Decorative: the figures are shown beside it as text. */
export function Meter({ used, limit, className }: { used: number; limit: number; className?: string }) {
  const percent = limit > 0 ? Math.min(100, (100 * used) / limit) : 100;
  return (
    <div aria-hidden className={cn("h-2 overflow-hidden rounded-full bg-muted", className)}>
      <div
        className={cn("h-full rounded-full", COLOURS[fillOf(used, limit)], used > 0 && "min-w-1")}
        style={{ width: `${percent.toFixed(1)}%` }}
      />
    </div>
  );
}
