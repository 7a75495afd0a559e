"use client";

import dynamic from "next/dynamic";
import type { TrendAreaProps } from "./trend-area";

interface TrendPlotProps extends Omit<TrendAreaProps, "heightPx"> {
  /** Text alternative for the chart; a table nearby has the same figures. */
  label: string;
}

const HEIGHT_PX = 260;

/** The plotting library is by far the largest part of a page: figures and tables do not wait for it. */
const TrendArea = dynamic(() => import("./trend-area").then((module) => module.TrendArea), { ssr: false });

/** Values over time. */
export const TrendPlot = ({ label, ...plot }: TrendPlotProps) => (
  // Hidden, because a plot keeps its old width for a moment when the page becomes narrower.
  <div role="img" aria-label={label} className="overflow-hidden" style={{ minHeight: HEIGHT_PX }}>
    <TrendArea {...plot} heightPx={HEIGHT_PX} />
  </div>
);
