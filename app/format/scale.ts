import { formatBytes } from "./bytes";
import { formatMoney } from "./money";
import { formatCount, formatShare } from "./numbers";

/** What plotted values are: whole counts, money in micros, or shares of 1. */
export type Unit = { kind: "count" } | { kind: "bytes" } | { kind: "money"; currency: string } | { kind: "share" };

/** The axis of a plot: from zero to a round number that no value exceeds, and a text for each tick, all different. */
export interface Scale {
  ticks: number[];
  tickText: (value: number) => string;
}

const INTERVALS = 4;
const MICROS_PER_UNIT = 1_000_000;
/** The least distance between two ticks: counts are whole, and money has no more than six decimals. */
const STEP_MIN: Record<Unit["kind"], number> = { count: 1, bytes: 1, money: 1, share: 0.0001 };
/** The largest value of an axis without any. */
const TOP_OF_NOTHING: Record<Unit["kind"], number> = { count: 4, bytes: 4, money: MICROS_PER_UNIT, share: 1 };

export function scaleOf(values: readonly number[], unit: Unit): Scale {
  const top = Math.max(0, ...values) || TOP_OF_NOTHING[unit.kind];
  const step = Math.max(STEP_MIN[unit.kind], roundStep(top / INTERVALS));
  const count = Math.ceil(top / step - 1e-9);
  return {
    ticks: Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12))),
    tickText: (value) => TICK_TEXTS[unit.kind](value, { step, unit }),
  };
}

/** A value with all of its digits. */
export function formatUnit(value: number, unit: Unit): string {
  if (unit.kind === "money") return formatMoney(value, unit.currency);
  if (unit.kind === "bytes") return formatBytes(value);
  return unit.kind === "share" ? formatShare(value) : formatCount(value);
}

/** The least of 1, 2 and 5 times a power of ten that is not below `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  const factor = [1, 2, 5, 10].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

interface TickOf {
  step: number;
  unit: Unit;
}

/** From here on numbers are shortened to thousands, millions and so on. */
const SHORT_FROM = 10_000;

const TICK_TEXTS: Record<Unit["kind"], (value: number, of: TickOf) => string> = {
  count: (value) => numberText(value, {}),
  bytes: (value) => formatBytes(value),
  share: (value, { step }) => numberText(value, { style: "percent", digits: decimalsOf(step * 100) }),
  money: (value, { step, unit }) => {
    const decimals = decimalsOf(step / MICROS_PER_UNIT);
    const currency = unit.kind === "money" ? unit.currency : "USD";
    // Cents are written in full: $0.60, and whole amounts without them: $5.
    const digits = decimals === 0 ? 0 : Math.max(2, decimals);
    return numberText(value / MICROS_PER_UNIT, { style: "currency", currency, digits });
  },
};

/** How many decimals tell multiples of a step apart. */
const decimalsOf = (step: number): number => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

function numberText(value: number, { digits = 0, ...style }: Intl.NumberFormatOptions & { digits?: number }): string {
  if (value >= SHORT_FROM) {
    return new Intl.NumberFormat("en", {
      ...style,
      notation: "compact",
      minimumFractionDigits: 0,
      maximumFractionDigits: 1,
    }).format(value);
  }
  const shown = value === 0 ? 0 : digits;
  return new Intl.NumberFormat("en", {
    ...style,
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(value);
}
