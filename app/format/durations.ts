const UNITS: readonly (readonly [seconds: number, one: string, short: string])[] = [
  [86_400, "day", "d"],
  [3600, "hour", "h"],
  [60, "minute", "min"],
  [1, "second", "s"],
];

/** A whole number of seconds in the largest unit that leaves no rest: "30 seconds", "4 days", "90 minutes". */
export function formatDuration(seconds: number): string {
  const [size, one] = UNITS.find(([unit]) => seconds >= unit && seconds % unit === 0) ?? [1, "second"];
  const count = seconds / size;
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/** An age in its two largest units: "41 s", "3 min 20 s", "2 d 5 h". */
export function formatAge(seconds: number): string {
  const at = UNITS.findIndex(([size]) => seconds >= size);
  if (at < 0) return "0 s";
  let rest = seconds;
  const parts = UNITS.slice(at, at + 2).map(([size, , short]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? `${count} ${short}` : "";
  });
  return parts.filter(Boolean).join(" ");
}
