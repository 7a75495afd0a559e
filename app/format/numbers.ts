const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 });
const rate = new Intl.NumberFormat("en", { style: "percent", minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** 12,345 */
export const formatCount = (count: number): string => whole.format(count);

/** 12.3K */
export const formatShort = (count: number): string => short.format(count);

/** A share between 0 and 1 as "12.3%"; a dash where nothing was measured. */
export const formatShare = (share: number | null): string => (share === null ? "–" : percent.format(share));

/** A share in a column of them as "12.30%", so that the digits are aligned. */
export const formatRate = (share: number | null): string => (share === null ? "–" : rate.format(share));

const TIMES_FROM = 10;
/** Beyond it the period before had hardly any traffic, and the exact factor says nothing. */
const TIMES_MAX = 100;

/**
 * What is there now beside what was there before: "+12%", "-3%", or "12×" where per cents say little any more (at most
 * ">100×"). undefined where there was nothing before.
 */
export function changeText(now: number, before: number): string | undefined {
  if (before <= 0) return undefined;
  const ratio = now / before;
  if (ratio > TIMES_MAX) return `>${TIMES_MAX}×`;
  if (ratio >= TIMES_FROM) return `${Math.round(ratio)}×`;
  const percent = Math.round(100 * (ratio - 1));
  return percent > 0 ? `+${percent}%` : percent < 0 ? `−${-percent}%` : "±0%";
}
