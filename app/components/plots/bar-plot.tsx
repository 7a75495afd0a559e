"use client";

import dynamic from "next/dynamic";
import type { LyingBarsProps } from "./lying-bars";

interface BarPlotProps extends Omit<LyingBarsProps, "heightPx"> {
  /** What the plot shows, for who cannot see it. */
  label: string;
}

const BAR_PX = 34;
const AXIS_PX = 40;

/** Fetched after the page's figures, as for trends. */
const LyingBars = dynamic(() => import("./lying-bars").then((module) => module.LyingBars), { ssr: false });

/** One bar for each name. */
export function BarPlot({ label, ...plot }: BarPlotProps) {
  const heightPx = plot.bars.length * BAR_PX + AXIS_PX;
  return (
    // Hidden, because a plot keeps its old width for a moment when the page becomes narrower.
    <div role="img" aria-label={label} className="overflow-hidden" style={{ minHeight: heightPx }}>
      <LyingBars {...plot} heightPx={heightPx} />
    </div>
  );
}
