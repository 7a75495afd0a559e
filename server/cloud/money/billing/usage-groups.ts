import { ServiceError } from "../../../kernel/errors";
import { sumNanos, type UsageRow } from "./usage";

export const USAGE_GROUPS = ["day", "project", "service", "sku", "purchase", "price"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Reads a comma-separated list of different groups. Throws `invalid_request`. */
export function groupsOf(text: string): UsageGroup[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const groups = USAGE_GROUPS.filter((group) => names.includes(group));
  if (groups.length === names.length) return groups;
  throw new ServiceError(
    "invalid_request",
    `group_by: expected different ones of ${USAGE_GROUPS.join(", ")}, separated by commas.`,
    { param: "group_by" },
  );
}

const groupValue: Readonly<Record<UsageGroup, (row: UsageRow) => string | null>> = {
  day: ({ day }) => day,
  project: ({ projectId }) => projectId,
  service: ({ service }) => service,
  sku: ({ sku }) => sku,
  purchase: ({ purchase }) => purchase,
  price: ({ priceNanos }) => (priceNanos === null ? null : String(priceNanos)),
};

/** Rows that are one in the report; the first has the values of the groups. */
export interface UsageSum {
  rows: readonly [UsageRow, ...UsageRow[]];
  /** null: none of them has a price. */
  amountNanos: bigint | null;
  isFinal: boolean;
}

/** Joins rows with the same values of the groups, in the order of the first of each. */
export function groupUsage(rows: readonly UsageRow[], groups: readonly UsageGroup[]): UsageSum[] {
  const joined = new Map<string, [UsageRow, ...UsageRow[]]>();
  for (const row of rows) {
    const key = JSON.stringify(groups.map((group) => groupValue[group](row)));
    const known = joined.get(key);
    if (known) known.push(row);
    else joined.set(key, [row]);
  }
  return [...joined.values()].map((same) => ({
    rows: same,
    amountNanos: same.every(({ amountNanos }) => amountNanos === null) ? null : sumNanos(same),
    isFinal: same.every(({ isFinal }) => isFinal),
  }));
}

/** The value that all rows have; undefined if they differ. */
export function common<T>(rows: readonly UsageRow[], value: (row: UsageRow) => T): T | undefined {
  const [first, ...others] = rows.map(value);
  return others.every((other) => other === first) ? first : undefined;
}
