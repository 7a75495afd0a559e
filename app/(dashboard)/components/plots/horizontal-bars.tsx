import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatUnit, scaleOf, type Unit } from "../../../format/scale";

export interface HorizontalBarsProps {
  bars: { name: string; value: number }[];
  heightPx: number;
  valueLabel: string;
  unit: Unit;
}

const NAME_CHARACTERS_MAX = 16;

/** One horizontal bar per name, so that names stay readable in long lists. */
export const HorizontalBars = ({ bars, valueLabel, unit, heightPx }: HorizontalBarsProps) => {
  const scale = scaleOf(
    bars.map(({ value }) => value),
    unit,
  );
  return (
    <ResponsiveContainer width="100%" height={heightPx} minWidth={0}>
      <BarChart
        data={bars}
        layout="vertical"
        margin={{ top: 0, right: 16, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid horizontal={false} stroke="var(--border)" />
        <XAxis
          type="number"
          ticks={scale.ticks}
          domain={[0, scale.ticks.at(-1) ?? 0]}
          tickFormatter={scale.tickText}
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
          formatter={(value) => formatUnit(Number(value), unit)}
          contentStyle={{ background: "var(--card)", borderColor: "var(--border)", borderRadius: 8, fontSize: 13 }}
          labelStyle={{ color: "var(--foreground)", fontWeight: 600 }}
          cursor={{ fill: "var(--muted)" }}
        />
        <Bar dataKey="value" name={valueLabel} fill="var(--chart-1)" radius={[0, 4, 4, 0]} isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
};

const shorten = (name: string): string =>
  name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX - 1)}…` : name;
