interface SparklineProps {
  values: readonly number[];
}

const WIDTH = 100;
const HEIGHT = 28;
const INSET = 2;

/** The shape of a series without axes: an ornament beside its figure, so assistive technology skips it. */
export function Sparkline({ values }: SparklineProps) {
  const top = Math.max(1e-9, ...values);
  const step = (WIDTH - 2 * INSET) / Math.max(1, values.length - 1);
  const points = values.map((value, i) => {
    const y = HEIGHT - INSET - (value / top) * (HEIGHT - 2 * INSET);
    return `${(INSET + i * step).toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden className="h-7 w-full">
      <polygon
        points={`${INSET},${HEIGHT} ${points.join(" ")} ${WIDTH - INSET},${HEIGHT}`}
        fill="var(--chart-1)"
        opacity={0.12}
      />
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="var(--chart-1)"
        strokeWidth={1.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
