const MICROS_PER_UNIT = 1_000_000;
const AMOUNT = /^(\d{1,9})(?:[.,](\d{1,6}))?$/;

/** "1.25" as 1250000 micros; undefined when the text is no amount of at most 6 decimals. */
export function parseMicros(text: string): number | undefined {
  const match = AMOUNT.exec(text.trim());
  if (!match) return undefined;
  return Number(match[1]) * MICROS_PER_UNIT + Number((match[2] ?? "").padEnd(6, "0"));
}

/** 1250000 micros as "1.25", for an input field: no grouping, no needless zeros. */
export function amountOf(micros: number): string {
  const whole = Math.floor(micros / MICROS_PER_UNIT);
  const rest = String(micros % MICROS_PER_UNIT).padStart(6, "0");
  const decimals = rest.replace(/0+$/, "");
  return decimals === "" ? String(whole) : `${whole}.${decimals.padEnd(2, "0")}`;
}

/** Micros as people read money: "$1.25", and "$0.0035" where two decimals would hide it. */
export function formatMoney(micros: number, currency: string): string {
  const isTiny = micros !== 0 && Math.abs(micros) < MICROS_PER_UNIT / 100;
  return new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: isTiny ? 6 : 2,
  }).format(micros / MICROS_PER_UNIT);
}

const DECIMALS_MAX = 9;

/** A price of a small unit with all its decimals, at most 9: "$0.032", "$5.236". */
export const formatRatePrice = (amount: number, currency: string): string =>
  new Intl.NumberFormat("en", { style: "currency", currency, maximumFractionDigits: DECIMALS_MAX }).format(amount);

/** A price as a feed or a creative has it, in its own currency: "$29.90". A currency that the browser does not know is shown as its code. */
export function formatPrice(amount: number, currency: string): string {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).format(amount);
  } catch {
    return `${amount} ${currency}`;
  }
}
