"use client";

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";

interface BarPlotProps {
  bars: { name: string; value: number }[];
  /** What the plot shows, for who cannot see it. */
  label: string;
  valueLabel: string;
  formatValue: (value: number) => string;
}

const BAR_PX = 34;
const NAME_CHARACTERS_MAX = 16;

/** One lying bar for each name: names stay readable however long the list is. */
export const BarPlot = ({ bars, label, valueLabel, formatValue }: BarPlotProps) => (
  // Hidden, because a plot keeps its old width for a moment when the page becomes narrower.
  <div role="img" aria-label={label} className="overflow-hidden">
    <ResponsiveContainer width="100%" height={bars.length * BAR_PX + 40} minWidth={0}>
      <BarChart
        data={bars}
        layout="vertical"
        margin={{ top: 0, right: 16, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid horizontal={false} stroke="var(--border)" />
        <XAxis
          type="number"
          tickFormatter={formatValue}
          tickLine={false}
          axisLine={false}
          tick={{ fill: "var(--muted-foreground)", fontSize: 12 }}
        />
        <YAxis
          type="category"
          dataKey="name"
          width={140}
          tickLine={false}
          axisLine={false}
          interval={0}
          tickFormatter={shorten}
          tick={{ fill: "var(--foreground)", fontSize: 12 }}
        />
        <Tooltip
          formatter={(value) => formatValue(Number(value))}
          contentStyle={{ background: "var(--card)", borderColor: "var(--border)", borderRadius: 8, fontSize: 13 }}
          labelStyle={{ color: "var(--foreground)", fontWeight: 600 }}
          cursor={{ fill: "var(--muted)" }}
        />
        <Bar dataKey="value" name={valueLabel} fill="var(--chart-1)" radius={[0, 4, 4, 0]} isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  </div>
);

const shorten = (name: string): string =>
  name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX - 1)}…` : name;
