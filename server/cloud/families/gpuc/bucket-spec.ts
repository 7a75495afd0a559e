import { z } from "zod";
import type { Tier } from "../../../engines/objects/blob-tiers";
import { StorageTier } from "../../data/buckets/storage-tier";

const DAYS_MAX = 3650;
/** The name of its lifecycle rule. */
const RULE = "tiers";

const days = (tier: string) =>
  z
    .int()
    .min(1)
    .max(DAYS_MAX)
    .describe(`Objects move to ${tier} when they are this many days old; absent: they do not`);

/** A bucket, and when its objects move to colder classes. */
export const BucketSpec = z
  .strictObject({
    tier: StorageTier.default("hot").describe(
      "The storage class of new objects; warm and cold are compressed, and objects in archive are restored before they are read",
    ),
    lifecycle_days_to_warm: days("warm").optional(),
    lifecycle_days_to_cold: days("cold").optional(),
    lifecycle_days_to_archive: days("archive").optional(),
  })
  .superRefine((spec, issue) => {
    const steps = transitionsOf(spec);
    for (const [i, { days, tier }] of steps.entries()) {
      const before = steps[i - 1];
      if (before === undefined || before.days < days) continue;
      const message = `expected more days than lifecycle_days_to_${before.tier} has`;
      issue.addIssue({ code: "custom", path: [`lifecycle_days_to_${tier}`], message });
    }
  });
export type BucketSpec = z.output<typeof BucketSpec>;

/** The moves of a spec, from warmer to colder. */
export function transitionsOf(spec: Partial<BucketSpec>): { days: number; tier: Tier }[] {
  const { lifecycle_days_to_warm: warm, lifecycle_days_to_cold: cold, lifecycle_days_to_archive: archive } = spec;
  const asked = [
    { days: warm, tier: "warm" as const },
    { days: cold, tier: "cold" as const },
    { days: archive, tier: "archive" as const },
  ];
  return asked.flatMap(({ days, tier }) => (days === undefined ? [] : [{ days, tier }]));
}

/** The settings of a bucket that has a spec. */
export function settingsOf(spec: BucketSpec) {
  const transitions = transitionsOf(spec);
  return { tier: spec.tier, lifecycle_rules: transitions.length === 0 ? [] : [{ id: RULE, transitions }] };
}
