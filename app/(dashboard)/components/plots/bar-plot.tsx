import dynamic from "next/dynamic";
import type { HorizontalBarsProps } from "./horizontal-bars";

interface BarPlotProps extends Omit<HorizontalBarsProps, "heightPx"> {
  /** Text alternative for the chart. */
  label: string;
}

const BAR_PX = 34;
const AXIS_PX = 40;

/** Fetched after the page's figures, as for trends. */
const HorizontalBars = dynamic(() => import("./horizontal-bars").then((module) => module.HorizontalBars), {
  ssr: false,
});

/** One bar for each name. */
export function BarPlot({ label, ...plot }: BarPlotProps) {
  const heightPx = plot.bars.length * BAR_PX + AXIS_PX;
  return (
    // Hidden, because a plot keeps its old width for a moment when the page becomes narrower.
    <div role="img" aria-label={label} className="overflow-hidden" style={{ minHeight: heightPx }}>
      <HorizontalBars {...plot} heightPx={heightPx} />
    </div>
  );
}
