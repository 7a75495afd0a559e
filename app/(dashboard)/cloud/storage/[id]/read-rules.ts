import { choicesIn, linesIn, numberIn, numberOrNullIn, textIn } from "../../../../components/form/read-fields";
import { FieldError } from "../../../../trpc/failure";
import type { Bucket } from "../bucket";

export type LifecycleRule = Bucket["lifecycle_rules"][number];
export type CorsRule = Bucket["cors_rules"][number];

export const METHODS = ["GET", "HEAD", "PUT", "POST", "DELETE"] as const;

/** A rule's field in a form with several rules; the API reports problems under the same path. */
export const fieldOf = (rules: "lifecycle_rules" | "cors_rules", at: number, field: string): string =>
  `${rules}[${at}].${field}`;

/** The classes that a rule can move objects to, each colder than the one before it. */
export const TRANSITION_TIERS = ["warm", "cold", "archive"] as const;

/** The field of the days after which a rule moves objects to a class. */
export const daysField = (at: number, tier: (typeof TRANSITION_TIERS)[number]): string =>
  fieldOf("lifecycle_rules", at, `transitions.${tier}`);

/** Where a form keeps what its fields do not show of a rule, such as conditions that an S3 client set. */
export const keptField = (at: number): string => fieldOf("lifecycle_rules", at, "kept");

type Transition = NonNullable<LifecycleRule["transitions"]>[number];

const hasDays = (transition: Transition): transition is Transition & { days: number } => transition.days !== undefined;

/** What the fields of a rule do not show. */
export function keptOf(rule: LifecycleRule): Partial<LifecycleRule> {
  const { id, prefix, enabled, expire_days, expire_noncurrent_days, abort_upload_days, transitions, ...kept } = rule;
  const byDate = transitions?.filter((transition) => !hasDays(transition)) ?? [];
  return { ...kept, ...(byDate.length > 0 && { transitions: byDate }) };
}

/** The same in words, one phrase each; empty if there is nothing. */
export function keptText(rule: LifecycleRule): string[] {
  const { tags = [], larger_than, smaller_than, expire_date, transitions = [], noncurrent_transitions = [] } = rule;
  return [
    ...tags.map(({ key, value }) => `only objects with the tag ${key}=${value}`),
    ...(larger_than === undefined ? [] : [`only objects with more than ${larger_than} bytes`]),
    ...(smaller_than === undefined ? [] : [`only objects with fewer than ${smaller_than} bytes`]),
    ...(expire_date === undefined ? [] : [`deletes objects on ${expire_date}`]),
    ...(rule.expire_markers ? ["deletes delete markers that hide nothing"] : []),
    ...(rule.keep_noncurrent === undefined ? [] : [`keeps ${rule.keep_noncurrent} older versions`]),
    ...transitions.flatMap(({ date, tier }) => (date === undefined ? [] : [`moves to ${tier} on ${date}`])),
    ...noncurrent_transitions.map(({ days, tier }) => `moves older versions to ${tier} after ${days} days`),
  ];
}

const DAYS = ["expire_days", "expire_noncurrent_days", "abort_upload_days"] as const;

/**
 * The lifecycle rules of a form with `count` rules; one without a name gets one that no other has. Throws a FieldError
 * for one that would do nothing, for transitions that are not downwards, and for the second rule of a name.
 */
export function lifecycleRulesIn(fields: FormData, count: number): LifecycleRule[] {
  const ids = idsIn(fields, count);
  return Array.from({ length: count }, (_, at) => {
    const name = (field: string) => fieldOf("lifecycle_rules", at, field);
    const days = DAYS.flatMap((field) => {
      const value = numberOrNullIn(fields, name(field));
      return value === null ? [] : [[field, value] as const];
    });
    const { transitions: byDate = [], ...kept } = keptIn(fields, at);
    const transitions = [...transitionsIn(fields, at), ...byDate];
    if (days.length + transitions.length === 0 && !KEPT_ACTIONS.some((action) => action in kept))
      throw new FieldError(name("expire_days"), "Enter at least one number of days.");
    return {
      ...kept,
      id: ids[at] ?? "",
      prefix: textIn(fields, name("prefix")),
      enabled: fields.has(name("enabled")),
      ...Object.fromEntries(days),
      ...(transitions.length > 0 && { transitions }),
    };
  });
}

const KEPT_ACTIONS = ["expire_date", "expire_markers", "noncurrent_transitions"];

/** The form itself wrote it; the API checks the rule as a whole. */
const keptIn = (fields: FormData, at: number): Partial<LifecycleRule> =>
  JSON.parse(textIn(fields, keptField(at)) || "{}") as Partial<LifecycleRule>;

function transitionsIn(fields: FormData, at: number): NonNullable<LifecycleRule["transitions"]> {
  const all = TRANSITION_TIERS.flatMap((tier) => {
    const days = numberOrNullIn(fields, daysField(at, tier));
    return days === null ? [] : [{ days, tier }];
  });
  for (const [i, { days, tier }] of all.entries()) {
    const before = all[i - 1];
    if (!before || days > before.days) continue;
    throw new FieldError(daysField(at, tier), `Enter more days than for ${before.tier}, which is before ${tier}.`);
  }
  return all;
}

function idsIn(fields: FormData, count: number): string[] {
  const name = (at: number) => fieldOf("lifecycle_rules", at, "id");
  const ids = Array.from({ length: count }, (_, at) => textIn(fields, name(at)));
  const twice = ids.findIndex((id, at) => id !== "" && ids.indexOf(id) < at);
  if (twice >= 0) throw new FieldError(name(twice), "Another rule has this name.");
  const taken = new Set(ids);
  return ids.map((id, at) => {
    if (id !== "") return id;
    let number = at + 1;
    while (taken.has(`rule ${number}`)) number++;
    taken.add(`rule ${number}`);
    return `rule ${number}`;
  });
}

/** What browsers send as `Origin`: a scheme and a host, without a path; a star matches any part of it. */
const ORIGIN = /^(\*[^/\s]*|[a-z*][a-z0-9+.*-]*:\/\/[^/\s]+)$/i;

/** The CORS rules of a form with `count` rules. Throws a FieldError for a wrong origin, and without an origin or a method. */
export function corsRulesIn(fields: FormData, count: number): CorsRule[] {
  return Array.from({ length: count }, (_, at) => {
    const name = (field: string) => fieldOf("cors_rules", at, field);
    const allowed_origins = linesIn(fields, name("allowed_origins"));
    if (allowed_origins.length === 0) {
      throw new FieldError(name("allowed_origins"), "Enter at least one origin, such as https://app.example.");
    }
    const wrong = allowed_origins.find((origin) => !ORIGIN.test(origin));
    if (wrong !== undefined) {
      throw new FieldError(
        name("allowed_origins"),
        `“${wrong}” is not an origin: it is https://, a host and perhaps a port, without a path or a slash at the end.`,
      );
    }
    const allowed_methods = choicesIn(fields, name("allowed_methods"), METHODS);
    if (allowed_methods.length === 0) throw new FieldError(name("allowed_methods"), "Choose at least one method.");
    return {
      allowed_origins,
      allowed_methods,
      allowed_headers: linesIn(fields, name("allowed_headers")),
      expose_headers: linesIn(fields, name("expose_headers")),
      max_age_seconds: numberIn(fields, name("max_age_seconds")),
    };
  });
}
