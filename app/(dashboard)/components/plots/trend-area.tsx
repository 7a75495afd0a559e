"use client";

import { Area, AreaChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";

interface Series {
  key: string;
  label: string;
}

export interface TrendAreaProps {
  /** One point a row: `x` is its label, every series' key its value. */
  points: ({ x: string } & Record<string, string | number>)[];
  series: Series[];
  heightPx: number;
  formatValue: (value: number) => string;
  /** As `formatValue`, where there is room for more; default: the same. */
  formatTip?: (value: number) => string;
  formatX?: (x: string) => string;
  /** The `x` that may have a label; default: all of them. */
  ticks?: string[] | undefined;
}

const same = (x: string): string => x;

/** Values over time. Series differ in colour and in dash pattern, so that the chart does not rely on colour alone. */
export const TrendArea = ({
  points,
  series,
  formatValue,
  formatTip = formatValue,
  formatX = same,
  ticks,
  heightPx,
}: TrendAreaProps) => (
  <ResponsiveContainer width="100%" height={heightPx} minWidth={0}>
    <AreaChart data={points} margin={{ top: 8, right: 24, bottom: 0, left: 0 }} accessibilityLayer={false}>
      <CartesianGrid vertical={false} stroke="var(--border)" />
      <XAxis
        dataKey="x"
        {...(ticks ? { ticks } : {})}
        tickFormatter={formatX}
        tickLine={false}
        axisLine={false}
        minTickGap={28}
        // Room for half a label at both ends; without it the last one would thin out all of them.
        padding={{ left: 12, right: 22 }}
        interval="equidistantPreserveStart"
        tick={{ fill: "var(--muted-foreground)", fontSize: 12 }}
      />
      <YAxis
        width={56}
        tickFormatter={formatValue}
        tickLine={false}
        axisLine={false}
        allowDecimals={false}
        tick={{ fill: "var(--muted-foreground)", fontSize: 12 }}
      />
      <Tooltip
        formatter={(value) => formatTip(Number(value))}
        labelFormatter={(x) => formatX(String(x))}
        contentStyle={{ background: "var(--card)", borderColor: "var(--border)", borderRadius: 8, fontSize: 13 }}
        labelStyle={{ color: "var(--foreground)", fontWeight: 600 }}
        cursor={{ stroke: "var(--muted-foreground)", strokeDasharray: "3 3" }}
      />
      {series.length > 1 && <Legend itemSorter={null} iconType="plainline" wrapperStyle={{ fontSize: 13 }} />}
      {series.map(({ key, label }, position) => (
        <Area
          key={key}
          dataKey={key}
          name={label}
          type="linear"
          stroke={colourOf(position)}
          strokeWidth={2}
          strokeDasharray={DASHES[position % DASHES.length] ?? "0"}
          fill={colourOf(position)}
          fillOpacity={position === 0 ? 0.12 : 0}
          isAnimationActive={false}
          dot={points.length === 1}
        />
      ))}
    </AreaChart>
  </ResponsiveContainer>
);

const DASHES = ["0", "6 3", "2 3", "8 3 2 3", "1 2"];
const colourOf = (position: number): string => `var(--chart-${(position % 5) + 1})`;
