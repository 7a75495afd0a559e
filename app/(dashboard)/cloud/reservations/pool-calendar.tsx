import { cn } from "../../../components/ui/cn";
import { formatDateTime } from "../../../format/dates";
import { gpusText, type Reservation, type ReservationCalendar } from "./reservation";
import { barOf, monthTicks, stepPath, type Timeline } from "./timeline";

interface PoolCalendarProps {
  calendar: ReservationCalendar;
  /** Those of the pool. */
  reservations: readonly Reservation[];
  timeline: Timeline;
}

/** When the GPUs of a pool are free, and the tenant's own reservations of them below. */
export function PoolCalendar({ calendar, reservations, timeline }: PoolCalendarProps) {
  const shown = reservations.filter(({ status }) => status === "scheduled" || status === "active");
  return (
    <div className="min-w-0 space-y-4">
      <FreeSteps calendar={calendar} timeline={timeline} />
      {shown.length === 0 ? (
        <p className="text-muted-foreground text-sm">You have no reservation of these GPUs.</p>
      ) : (
        <ul className="space-y-2" aria-label="Your reservations over time">
          {shown.map((reservation) => (
            <ReservationBar key={reservation.id} reservation={reservation} timeline={timeline} />
          ))}
        </ul>
      )}
    </div>
  );
}

function FreeSteps({ calendar: { free, capacity }, timeline }: Pick<PoolCalendarProps, "calendar" | "timeline">) {
  const now = free[0]?.count ?? 0;
  const least = Math.min(...free.map(({ count }) => count));
  const label = `Free GPUs: ${now} of ${capacity} now, at least ${least} in the next ${timeline.days} days`;
  return (
    <figure className="m-0">
      <div className="flex gap-2">
        <div className="flex h-28 w-7 shrink-0 flex-col justify-between text-right text-muted-foreground text-xs tabular-nums">
          <span>{capacity}</span>
          <span>0</span>
        </div>
        <div className="relative h-28 min-w-0 flex-1 border-y">
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={label} className="size-full">
            <path
              d={stepPath(timeline, free, capacity)}
              fill="var(--chart-1)"
              fillOpacity={0.18}
              stroke="var(--chart-1)"
              strokeWidth={1.5}
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          <MonthLines timeline={timeline} />
        </div>
      </div>
      <MonthLabels timeline={timeline} />
      <figcaption className="mt-1 text-muted-foreground text-xs">{label}.</figcaption>
    </figure>
  );
}

const MonthLines = ({ timeline }: { timeline: Timeline }) => (
  <div aria-hidden className="pointer-events-none absolute inset-0">
    {monthTicks(timeline).map(({ label, left }) => (
      <span key={label} className="absolute inset-y-0 w-px bg-border" style={{ left: `${left}%` }} />
    ))}
    <span className="absolute inset-y-0 left-0 w-0.5 bg-chart-4" />
  </div>
);

/** A label near the right edge would be cut. */
const LABEL_MAX_PERCENT = 93;
/** A label near the left edge would cover "today". */
const LABEL_MIN_PERCENT = 12;

const MonthLabels = ({ timeline }: { timeline: Timeline }) => (
  <div aria-hidden className="relative ml-9 h-5 text-muted-foreground text-xs">
    <span className="absolute left-0 font-medium text-chart-4">today</span>
    {monthTicks(timeline)
      .filter(({ left }) => left > LABEL_MIN_PERCENT && left < LABEL_MAX_PERCENT)
      .map(({ label, left }) => (
        <span key={label} className="absolute whitespace-nowrap" style={{ left: `${left}%` }}>
          {label}
        </span>
      ))}
  </div>
);

function ReservationBar({ reservation, timeline }: { reservation: Reservation; timeline: Timeline }) {
  const { name, status, count, in_use: used, lent_to_spot: lent, starts_at: from, ends_at: to } = reservation;
  const bar = barOf(timeline, reservation);
  const share = (part: number) => ({ width: `${(part / count) * 100}%` });
  return (
    <li className="min-w-0">
      <p className="flex flex-wrap justify-between gap-x-3 text-sm">
        <span className="min-w-0 break-words font-medium">
          {name} <span className="font-normal text-muted-foreground">{gpusText(reservation)}</span>
        </span>
        <span className="text-muted-foreground text-xs">
          {status === "active"
            ? `${used} in use, ${lent} lent to spot, ${count - used - lent} idle; until ${formatDateTime(to)}`
            : `from ${formatDateTime(from)} to ${formatDateTime(to)}`}
        </span>
      </p>
      <div className="relative mt-1 ml-9 h-3 rounded-sm bg-muted">
        {bar && (
          <div
            className={cn(
              "absolute inset-y-0 flex overflow-hidden rounded-sm",
              status === "active" ? "bg-chart-1/35" : "border border-chart-2 border-dashed bg-chart-2/25",
            )}
            style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
          >
            <span className="h-full bg-chart-1" style={share(used)} />
            <span className="h-full bg-chart-3" style={share(lent)} />
          </div>
        )}
      </div>
    </li>
  );
}

const LEGEND = [
  ["bg-chart-1", "in use by your pods"],
  ["bg-chart-3", "lent to spot pods"],
  ["bg-chart-1/35", "idle"],
  ["border border-chart-2 border-dashed bg-chart-2/25", "scheduled"],
] as const;

/** What the colours of bars mean. */
export const BarLegend = () => (
  <ul aria-label="Colours" className="flex flex-wrap gap-x-4 gap-y-1 text-muted-foreground text-xs">
    {LEGEND.map(([style, text]) => (
      <li key={text} className="flex items-center gap-1.5">
        <span aria-hidden className={cn("size-2.5 rounded-xs", style)} />
        {text}
      </li>
    ))}
  </ul>
);
