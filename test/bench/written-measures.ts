/** A measure as a title writes it, and what it means. */
export interface Measure {
  written: string;
  /** Equal for measures that differ only in their writing: "20 v", "2 x 4". */
  meaning: string;
}

/** The ways to write a unit; the first one is its meaning. */
const UNITS: readonly (readonly string[])[] = [
  ["in", "inch", "inches", '"', "in."],
  ["ft", "foot", "feet", "ft."],
  ["v", "volt", "volts"],
  ["w", "watt", "watts"],
  ["lb", "lbs", "pound", "pounds"],
  ["oz", "ounce", "ounces"],
  ...["gb", "mb", "tb", "mm", "cm", "m", "ghz", "mhz", "ml", "l", "kg", "g", "mah", "a", "hz", "gal"].map((unit) => [
    unit,
  ]),
];
/** Of which the last one needs no space before it. */
const REWRITTEN: Readonly<Record<string, readonly string[]>> = { in: ["in", "inch", '"'], ft: ["ft", "foot"] };
const MEANINGS = new Map(UNITS.flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)));

const NUMBER = String.raw`\d+(?:[.,/]\d+|-\d+/\d+)?`;
const BY = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,/])(${NUMBER})\s?x\s?(${NUMBER})(?![\p{L}\p{N}]|[.,/]\d|\s?x\s?\d)`,
  "giu",
);
const WITH_UNIT = new RegExp(String.raw`(?<![\p{L}\p{N}.,/x-])(${NUMBER})[\s-]?(\p{L}{1,6}|")(?![\p{L}\p{N}])`, "giu");

/** The measures in a text: sizes such as `2x4` and numbers with a known unit. */
export function measuresIn(text: string): Measure[] {
  const lower = text.normalize("NFKC").toLowerCase().replaceAll(/[“”]/g, '"');
  const sizes = [...lower.matchAll(BY)].map(([written, a, b]) => ({ written, meaning: `${a} x ${b}` }));
  const units = [...lower.matchAll(WITH_UNIT)].flatMap(([written, number, name = ""]) => {
    const unit = MEANINGS.get(name);
    return unit === undefined ? [] : [{ written, meaning: `${number} ${unit}` }];
  });
  return [...sizes, ...units];
}

/** The other usual ways to write a measure: `20v` for `20 v`, `1/2"` for `1/2 in`, `4x4` for `4 x 4`. */
export function otherWritings({ written, meaning }: Measure): string[] {
  const [number = "", unit = "", second] = meaning.split(" ");
  const names = second === undefined ? (REWRITTEN[unit] ?? [unit]) : [`x ${second}`];
  const ways = names.flatMap((name) => {
    if (name === '"') return [`${number}"`];
    return [`${number} ${name}`, `${number}${name.replace("x ", "x")}`];
  });
  return ways.filter((way) => way !== written);
}
