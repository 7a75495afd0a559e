import {
  Area,
  AreaChart,
  CartesianGrid,
  Legend,
  ReferenceArea,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { formatUnit, scaleOf, type Unit } from "../../../format/scale";

interface Series {
  key: string;
  label: string;
}

export interface TrendAreaProps {
  /** One point a row: `x` is its label, every series' key its value. */
  points: ({ x: string } & Record<string, string | number>)[];
  series: Series[];
  heightPx: number;
  unit: Unit;
  formatX?: (x: string) => string;
  /** The last `x`, if its day or hour is not over: its values are incomplete. */
  openX?: string | undefined;
  /** Series are parts of a whole: each lies on those before it. */
  isStacked?: boolean;
  /** The `x` that may have a label; default: all of them. */
  ticks?: string[] | undefined;
}

const same = (x: string): string => x;

/** Values over time. Series differ in colour and in dash pattern, so that the chart does not rely on colour alone. */
export const TrendArea = ({ points, series, unit, formatX = same, openX, isStacked, ...size }: TrendAreaProps) => {
  const { heightPx, ticks } = size;
  const scale = scaleOf(heightsOf({ points, series, isStacked }), unit);
  const closedX = points.at(-2)?.x;
  return (
    <ResponsiveContainer width="100%" height={heightPx} minWidth={0}>
      <AreaChart data={points} margin={{ top: 8, right: 24, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--border)" />
        {openX !== undefined && closedX !== undefined && (
          <ReferenceArea x1={closedX} x2={openX} fill="var(--muted-foreground)" fillOpacity={0.14} />
        )}
        <XAxis
          dataKey="x"
          {...(ticks ? { ticks } : {})}
          tickFormatter={formatX}
          {...AXIS}
          minTickGap={28}
          // Room for half a label at both ends; without it the last one would thin out all of them.
          padding={{ left: 12, right: 22 }}
          interval="equidistantPreserveStart"
        />
        <YAxis
          width={56}
          ticks={scale.ticks}
          domain={[0, scale.ticks.at(-1) ?? 0]}
          interval={0}
          tickFormatter={scale.tickText}
          {...AXIS}
        />
        <Tooltip
          formatter={(value) => formatUnit(Number(value), unit)}
          labelFormatter={(x) => (x === openX ? `${formatX(String(x))}, so far` : formatX(String(x)))}
          {...TOOLTIP}
        />
        {series.length > 1 && <Legend itemSorter={null} iconType="plainline" wrapperStyle={{ fontSize: 13 }} />}
        {series.map(({ key, label }, position) => (
          <Area
            key={key}
            dataKey={key}
            name={label}
            type="linear"
            {...lookOf(position)}
            fillOpacity={isStacked ? 0.3 : position === 0 ? 0.12 : 0}
            {...(isStacked ? { stackId: "whole" } : {})}
            isAnimationActive={false}
            dot={points.length === 1}
          />
        ))}
      </AreaChart>
    </ResponsiveContainer>
  );
};

const AXIS = { tickLine: false, axisLine: false, tick: { fill: "var(--muted-foreground)", fontSize: 12 } };
const TOOLTIP = {
  contentStyle: { background: "var(--card)", borderColor: "var(--border)", borderRadius: 8, fontSize: 13 },
  labelStyle: { color: "var(--foreground)", fontWeight: 600 },
  cursor: { stroke: "var(--muted-foreground)", strokeDasharray: "3 3" },
};
const DASHES = ["0", "6 3", "2 3", "8 3 2 3", "1 2"];

function lookOf(position: number) {
  const colour = `var(--chart-${(position % 5) + 1})`;
  return { stroke: colour, strokeWidth: 2, strokeDasharray: DASHES[position % DASHES.length] ?? "0", fill: colour };
}

interface Parts extends Pick<TrendAreaProps, "points" | "series"> {
  isStacked?: boolean | undefined;
}

/** How high the plot must reach: each value, or the sums of those that lie on each other. */
function heightsOf({ points, series, isStacked = false }: Parts): number[] {
  const valuesOf = (point: (typeof points)[number]) => series.map(({ key }) => Number(point[key] ?? 0));
  if (!isStacked) return points.flatMap(valuesOf);
  return points.map((point) => valuesOf(point).reduce((sum, value) => sum + value, 0));
}
