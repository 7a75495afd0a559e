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

const DAYS = ["expire_days", "expire_noncurrent_days", "abort_upload_days"] as const;

/** What clients of the API and of S3 can set in a lifecycle rule and a form has no field for, as JSON. */
export function keptOf(rule: LifecycleRule): string {
  const {
    id: _id,
    prefix: _prefix,
    enabled: _enabled,
    expire_days: _days,
    expire_noncurrent_days: _noncurrent,
    abort_upload_days: _uploads,
    transitions: _transitions,
    ...kept
  } = rule;
  return JSON.stringify(kept);
}

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
    const transitions = transitionsIn(fields, at);
    if (days.length + transitions.length === 0)
      throw new FieldError(name("expire_days"), "Enter at least one number of days.");
    return {
      ...(JSON.parse(textIn(fields, name("kept")) || "{}") as Partial<LifecycleRule>),
      id: ids[at] ?? "",
      prefix: textIn(fields, name("prefix")),
      enabled: fields.has(name("enabled")),
      ...Object.fromEntries(days),
      ...(transitions.length > 0 && { transitions }),
    };
  });
}

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
