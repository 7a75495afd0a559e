import dynamic from "next/dynamic";
import type { TrendAreaProps } from "./trend-area";

interface TrendPlotProps extends Omit<TrendAreaProps, "heightPx"> {
  /** Text alternative for the chart; a table nearby has the same figures. */
  label: string;
  /** What is marked at the end of the plot; default: "Today so far". */
  openLabel?: string;
}

const HEIGHT_PX = 260;

/** The plotting library is by far the largest part of a page: figures and tables do not wait for it. */
const TrendArea = dynamic(() => import("./trend-area").then((module) => module.TrendArea), { ssr: false });

/** Values over time; a day or hour that is not over is shaded. */
export const TrendPlot = ({ label, openLabel = "Today so far", ...plot }: TrendPlotProps) => (
  <div className="space-y-2">
    {/* Hidden, because a plot keeps its old width for a moment when the page becomes narrower. */}
    <div role="img" aria-label={label} className="overflow-hidden" style={{ minHeight: HEIGHT_PX }}>
      <TrendArea {...plot} heightPx={HEIGHT_PX} />
    </div>
    {plot.openX !== undefined && (
      <p className="flex items-center justify-end gap-2 text-muted-foreground text-xs">
        <span aria-hidden className="size-3 rounded-sm bg-muted-foreground/20" />
        {openLabel}, incomplete
      </p>
    )}
  </div>
);
