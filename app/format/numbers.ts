const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 });

/** 12,345 */
export const formatCount = (count: number): string => whole.format(count);

/** 12.3K */
export const formatShort = (count: number): string => short.format(count);

/** A share between 0 and 1 as "12.3%"; a dash where nothing was measured. */
export const formatShare = (share: number | null): string => (share === null ? "–" : percent.format(share));
