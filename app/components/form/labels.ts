const CAPITALS = new Set(["api", "asn", "cidr", "cpu", "gpu", "id", "ip", "sku", "sql", "ttl", "url", "vlan", "vpc"]);
const UNITS: Readonly<Record<string, string>> = {
  s: "seconds",
  seconds: "seconds",
  ms: "milliseconds",
  minutes: "minutes",
  hours: "hours",
  days: "days",
  mb: "MB",
  gb: "GB",
};
/** What says the type of a value, which its control shows. */
const TYPE = /_(id|at|micros)$/;

/** The name of a field in words, without the unit that its control shows: `idle_timeout_seconds` is "Idle timeout". */
export function labelOf(name: string): string {
  const words = withoutUnit(name)
    .replace(TYPE, "")
    .split(/[_.]/)
    .map((word) => (CAPITALS.has(word) ? word.toUpperCase() : word))
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The same for a number that is typed without its unit: `disk_gb` is "Disk in GB". */
export function labelWithUnit(name: string): string {
  const unit = UNITS[name.slice(withoutUnit(name).length + 1)];
  return unit ? `${labelOf(name)} in ${unit}` : labelOf(name);
}

function withoutUnit(name: string): string {
  const end = name.lastIndexOf("_");
  return end > 0 && name.slice(end + 1) in UNITS ? name.slice(0, end) : name;
}
