import { cn } from "../../../components/ui/cn";

interface SparklineProps {
  /** Oldest first; the last one is of a day that is not over. */
  values: readonly number[];
  /** Its height. */
  className?: string;
}

const WIDTH = 100;
const HEIGHT = 28;
const INSET = 2;

const LINE = {
  fill: "none",
  stroke: "var(--chart-1)",
  strokeWidth: 1.5,
  strokeLinejoin: "round",
  strokeLinecap: "round",
  vectorEffect: "non-scaling-stroke",
} as const;

/**
 * The shape of a series without axes: an ornament beside its figure, so assistive technology skips it. The line to the
 * last value is dashed, because its day is not over.
 */
export function Sparkline({ values, className = "h-7" }: SparklineProps) {
  const top = Math.max(1e-9, ...values);
  const step = (WIDTH - 2 * INSET) / Math.max(1, values.length - 1);
  const points = values.map((value, i) => {
    const y = HEIGHT - INSET - (value / top) * (HEIGHT - 2 * INSET);
    return `${(INSET + i * step).toFixed(1)},${y.toFixed(1)}`;
  });
  const closed = points.slice(0, -1);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden className={cn("w-full", className)}>
      <polygon
        points={`${INSET},${HEIGHT} ${points.join(" ")} ${WIDTH - INSET},${HEIGHT}`}
        fill="var(--chart-1)"
        opacity={0.12}
      />
      <polyline points={closed.join(" ")} {...LINE} />
      <polyline points={points.slice(-2).join(" ")} {...LINE} strokeDasharray="2 2" />
      {/* A line without length: a circle would be stretched with the picture. */}
      <polyline points={`${points.at(-1)} ${points.at(-1)}`} {...LINE} strokeWidth={5} />
    </svg>
  );
}
