import { z } from "zod";
import type { Plane } from "../../../operation/actor";

/** What a field may name: resources of a service, or of one kind of it. */
export interface ReferenceTarget {
  /** Absent: the plane of the kind that has the field. */
  plane?: Plane;
  service: string;
  /** Absent: each kind of the service. */
  kind?: string;
}

/** What the deletion of a resource does while others refer to it. */
export type OnDelete =
  /** It is refused: `conflict`, with the reason `has_dependents`. */
  | "restrict"
  /** Those are deleted with it, before its own effect is removed. */
  | "cascade"
  /** Nothing: they go on without it. */
  | "none";

interface ReferenceOptions {
  /** Default: restrict. */
  onDelete?: OnDelete;
  /** A name may follow the id, as in `res_…/default`, which the kind checks. */
  hasParts?: true;
  /** A placeholder can be named too. Absent: what names one is a placeholder itself (`target_missing`). */
  allowsPlaceholder?: true;
  /** Ids with another prefix name something that is no resource, which the kind checks. */
  allowsOthers?: true;
}

interface ReferenceRule extends ReferenceOptions {
  targets: readonly ReferenceTarget[];
}

/** A reference of a spec. */
export interface FoundReference {
  /** The field, as in `spec.volumes[0].volume`. */
  param: string;
  /** The id of what it names. */
  id: string;
  rule: ReferenceRule;
}

const KEYWORD = "x-reference";
const RESOURCE_ID = /^(res|plc)_[a-z0-9]{26}$/;
const RESOURCE_ID_WITH_PART = /^(res|plc)_[a-z0-9]{26}(\/[a-z][a-z0-9-]{0,31})?$/;
const ANY_RESOURCE_ID = /^(res|plc)_/;

/**
 * A field of a spec that names a resource of the same tenant, project and mode by its id. What it names is looked for
 * when the resource is created or changed, cannot be deleted meanwhile, and has the resource among its dependents.
 */
export function ref(service: string, kind?: string, options?: ReferenceOptions): z.ZodString;
export function ref(target: ReferenceTarget, options?: ReferenceOptions): z.ZodString;
export function ref(
  target: ReferenceTarget | string,
  more?: string | ReferenceOptions,
  last?: ReferenceOptions,
): z.ZodString {
  const options = (typeof more === "string" ? last : (more ?? last)) ?? {};
  const kind = typeof more === "string" ? { kind: more } : {};
  const text = options.hasParts ? RESOURCE_ID_WITH_PART : RESOURCE_ID;
  return z
    .string()
    .regex(text, "expected the id of a resource, such as res_ and 26 characters")
    .meta(refersTo([typeof target === "string" ? { service: target, ...kind } : target], options));
}

/** Marks a field with a schema of its own as a reference to one of several targets. The last call on the schema. */
export const refersTo = (targets: readonly ReferenceTarget[], options: ReferenceOptions = {}) => ({
  [KEYWORD]: { targets, ...options } satisfies ReferenceRule,
});

/** The references of a spec, in the order of its fields. */
export const referencesOf = (schema: z.ZodType, spec: unknown): FoundReference[] => found(schema, spec, "spec");

function found(schema: z.ZodType, value: unknown, param: string): FoundReference[] {
  if (value === undefined || value === null) return [];
  const rule = schema.meta()?.[KEYWORD] as ReferenceRule | undefined;
  if (rule) return typeof value === "string" ? referenceOf(rule, value, param) : [];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
      found(field, (value as Record<string, unknown>)[name], `${param}.${name}`),
    );
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((one, at) => found(schema.element as z.ZodType, one, `${param}[${at}]`));
  if (schema instanceof z.ZodRecord)
    return Object.entries(value).flatMap(([name, one]) =>
      found(schema.valueType as z.ZodType, one, `${param}.${name}`),
    );
  if (schema instanceof z.ZodUnion) {
    const chosen = (schema.options as z.ZodType[]).find((option) => option.safeParse(value).success);
    return chosen ? found(chosen, value, param) : [];
  }
  if (isWrapper(schema)) return found(schema.unwrap() as z.ZodType, value, param);
  return [];
}

const isWrapper = (schema: z.ZodType) =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault ||
  schema instanceof z.ZodReadonly;

function referenceOf(rule: ReferenceRule, text: string, param: string): FoundReference[] {
  if (rule.allowsOthers && !ANY_RESOURCE_ID.test(text)) return [];
  const id = rule.hasParts ? (text.split("/")[0] ?? "") : text;
  return [{ param, id, rule }];
}
