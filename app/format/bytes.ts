const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"] as const;
const STEP = 1000;
const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** "0 B", "1.5 KB", "12.3 GB": powers of 1000, as disks and bills count. */
export function formatBytes(bytes: number): string {
  const power = bytes < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  // 999,999 is "1 MB", not "1,000 KB".
  const rounded = Number((bytes / STEP ** power).toPrecision(3));
  const [value, unit] = rounded >= STEP && power < UNITS.length - 1 ? [rounded / STEP, power + 1] : [rounded, power];
  return `${number.format(value)} ${UNITS[unit]}`;
}
