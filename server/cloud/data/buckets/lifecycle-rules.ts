import { z } from "zod";
import { PACKED_TIERS } from "../../../engines/objects/blob-tiers";
import { isColder } from "../objects/tiers";
import { BucketTags, KeyPrefix, RULES_MAX } from "./bucket-rules";

const DAYS_MAX = 36_500;
const TAGS_MAX = 10;
/** From "NoncurrentVersionExpiration" of the S3 API reference. */
const KEPT_MAX = 100;
/** Bytes of the largest object. */
const SIZE_MAX = 5 * 2 ** 40;

const Days = z.int().min(1).max(DAYS_MAX);
const LaterDays = z.int().min(0).max(DAYS_MAX);
const Size = z.int().min(0).max(SIZE_MAX);
const Kept = z.int().min(1).max(KEPT_MAX);
const Day = z.iso.date("expected a day such as 2030-01-31");

const Transition = z
  .strictObject({ days: LaterDays.optional(), date: Day.optional(), tier: z.enum(PACKED_TIERS) })
  .refine(({ days, date }) => (days === undefined) !== (date === undefined), "expected either days or date");
const NoncurrentTransition = z.strictObject({
  days: LaterDays,
  tier: z.enum(PACKED_TIERS),
  keep: Kept.optional().describe("Not the newest of these older versions"),
});

type Moves = readonly { days?: number | undefined; date?: string | undefined; tier: (typeof PACKED_TIERS)[number] }[];

/** Each class only after a warmer one; days and dates are not mixed. */
const isDownwards = (moves: Moves): boolean =>
  moves.every(({ days, date, tier }, i) => {
    const before = moves[i - 1];
    if (!before) return true;
    const isLater =
      days === undefined ? (date ?? "") > (before.date ?? "9") : before.days !== undefined && days > before.days;
    return isLater && isColder(tier, before.tier);
  });

const downwards = <T extends z.ZodType<Moves[number]>>(move: T) =>
  z
    .array(move)
    .min(1)
    .max(PACKED_TIERS.length)
    .refine(
      isDownwards,
      "expected more days in each than in the one before it, and a colder tier: warm, cold, archive",
    );

const fields = {
  id: z.string().regex(/^[\x20-\x7e]{1,255}$/, "expected 1 to 255 printable ASCII characters"),
  prefix: KeyPrefix.default("").describe("The rule applies to keys with this prefix; empty: to all"),
  legacy_prefix: z
    .boolean()
    .optional()
    .describe("An S3 client sent the prefix outside of a Filter, as older ones do, and is shown it there"),
  tags: BucketTags.min(1).max(TAGS_MAX).optional().describe("Only objects that have all of these tags"),
  larger_than: Size.optional().describe("Only objects with more bytes"),
  smaller_than: Size.optional().describe("Only objects with fewer bytes"),
  expire_days: Days.optional().describe("Deletes objects this many days after they were stored"),
  expire_date: Day.optional().describe("Deletes objects from the midnight (UTC) on with which this day begins"),
  expire_markers: z.literal(true).optional().describe("Deletes delete markers that hide no older version"),
  expire_noncurrent_days: Days.optional().describe("Deletes older versions this many days after they were replaced"),
  keep_noncurrent: Kept.optional().describe("Of each object, `expire_noncurrent_days` keeps the newest of these"),
  abort_upload_days: Days.optional().describe("Aborts multipart uploads this many days after they were started"),
  transitions: downwards(Transition)
    .optional()
    .describe(
      "Moves current versions to another storage class this many days after they were stored, or from a day on: `warm`, `cold` or `archive`, only downwards",
    ),
  noncurrent_transitions: downwards(NoncurrentTransition)
    .optional()
    .describe("Moves older versions to another storage class this many days after they were replaced"),
  enabled: z.boolean().default(true),
};
const Fields = z.strictObject(fields);
type Rule = z.output<typeof Fields>;

const ACTIONS = [
  "expire_days",
  "expire_date",
  "expire_markers",
  "expire_noncurrent_days",
  "abort_upload_days",
  "transitions",
  "noncurrent_transitions",
] as const;

const isFiltered = ({ larger_than, smaller_than }: Rule): boolean =>
  larger_than !== undefined || smaller_than !== undefined;

/** What the fields of a rule must not be together, in the order in which it is looked at. */
const CONFLICTS: readonly (readonly [isWrong: (rule: Rule) => boolean, expected: string])[] = [
  [
    (rule) => ACTIONS.every((action) => rule[action] === undefined),
    `expected one of ${ACTIONS.slice(0, -1).join(", ")} and ${ACTIONS.at(-1)}`,
  ],
  [
    (rule) => [rule.expire_days, rule.expire_date, rule.expire_markers].filter((one) => one !== undefined).length > 1,
    "expected only one of expire_days, expire_date and expire_markers",
  ],
  [
    ({ expire_markers, ...rule }) => expire_markers !== undefined && (rule.tags !== undefined || isFiltered(rule)),
    "expected expire_markers without tags, larger_than and smaller_than: delete markers have no tags and no size",
  ],
  [
    ({ abort_upload_days, ...rule }) =>
      abort_upload_days !== undefined && (rule.tags !== undefined || isFiltered(rule)),
    "expected abort_upload_days without tags, larger_than and smaller_than: uploads have no tags and no size yet",
  ],
  [
    ({ larger_than, smaller_than }) =>
      larger_than !== undefined && smaller_than !== undefined && smaller_than <= larger_than + 1,
    "expected smaller_than to leave a size above larger_than",
  ],
  [
    (rule) => rule.keep_noncurrent !== undefined && rule.expire_noncurrent_days === undefined,
    "expected keep_noncurrent only with expire_noncurrent_days",
  ],
  [
    ({ expire_days, expire_date, transitions = [] }) =>
      transitions.some(({ days }) => (days === undefined ? expire_days !== undefined : expire_date !== undefined)),
    "expected either days or dates in a rule, for its expiration and its transitions",
  ],
];

const LifecycleRule = Fields.superRefine((rule, issues) => {
  const found = CONFLICTS.find(([isWrong]) => isWrong(rule));
  if (found) issues.addIssue({ code: "custom", message: found[1] });
})
  .refine(({ expire_days: days = Number.POSITIVE_INFINITY, transitions }) => days > (transitions?.at(-1)?.days ?? 0), {
    error: "expected more days than its transitions have, which otherwise never apply",
    path: ["expire_days"],
  })
  .refine(({ expire_date: date = "9", transitions }) => date > (transitions?.at(-1)?.date ?? ""), {
    error: "expected a later day than its transitions have, which otherwise never apply",
    path: ["expire_date"],
  })
  .refine(
    ({ expire_noncurrent_days: days = Number.POSITIVE_INFINITY, noncurrent_transitions: moves }) =>
      days > (moves?.at(-1)?.days ?? 0),
    {
      error: "expected more days than its noncurrent_transitions have, which otherwise never apply",
      path: ["expire_noncurrent_days"],
    },
  );

export const LifecycleRules = z
  .array(LifecycleRule)
  .max(RULES_MAX)
  .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length, "expected different ids of rules")
  .describe(
    "What is deleted by age, or moved to another storage class. Days end at the next midnight (UTC); rules are checked once an hour",
  );

/** The same with rules by prefix and age alone, for callers whose lists must be short. */
export const ShortLifecycleRules = z
  .array(
    Fields.pick({
      id: true,
      prefix: true,
      expire_days: true,
      expire_noncurrent_days: true,
      abort_upload_days: true,
      enabled: true,
    }).extend({
      transitions: z
        .array(z.strictObject({ days: LaterDays, tier: z.enum(PACKED_TIERS) }))
        .min(1)
        .max(PACKED_TIERS.length)
        .optional()
        .describe("Moves current versions to a colder storage class this many days after they were stored"),
    }),
  )
  .max(RULES_MAX)
  .describe(
    "What is deleted by age, or moved to another storage class; filters by tags and sizes are set over S3 or REST",
  );
