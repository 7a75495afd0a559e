import { probabilityText } from "./fit-parts";
import { wholePercent } from "./score-bars";

interface FitPlotProps {
  /** Both 0 to 1. */
  probability: number;
  threshold: number;
}

/** A probability as a bar from 0 to 100 %, with a labelled mark at the threshold. */
export function FitPlot({ probability, threshold }: FitPlotProps) {
  const isReached = probability >= threshold;
  const needed = `${wholePercent(threshold)} needed`;
  return (
    <div
      role="img"
      aria-label={`Probability of fit: ${probabilityText(probability)}, ${needed}`}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 text-xs"
    >
      <div className="relative mt-5 h-3 rounded-full bg-muted">
        <span
          className={`block h-full min-w-1 rounded-full ${isReached ? "bg-chart-5" : "bg-chart-4"}`}
          style={{ width: toPercent(probability) }}
        />
        <span className="absolute -inset-y-1 w-0.5 rounded bg-foreground" style={{ left: toPercent(threshold) }} />
        <span
          className="absolute -top-5 -translate-x-1/2 whitespace-nowrap text-muted-foreground"
          style={{ left: `clamp(2rem, ${toPercent(threshold)}, calc(100% - 2rem))` }}
        >
          {needed}
        </span>
      </div>
      <span className="mt-5 font-semibold text-base tabular-nums">{probabilityText(probability)}</span>
    </div>
  );
}

const toPercent = (share: number): string => `${(100 * share).toFixed(1)}%`;
