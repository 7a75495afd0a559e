import { z } from "zod";
import type { Resource as ResourceRow } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import type { Json } from "../../../identity/stored-json";
import { ModeName } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { PLANES } from "../../../operation/actor";
import type { Families } from "../kinds/families";
import type { Blocker, Creator, DesiredResource, Kind, Observed } from "../kinds/kind";
import { serviceOf } from "../planes/planes";
import { openedSpec, redactedSpec } from "../specs/specs";
import { RESOURCE_STATES, type ResourceState, STATES_TEXT } from "./resource-states";

export const RESOURCE_ID_PREFIX = "res";

const JsonObject = z.record(z.string(), z.unknown());

export const Resource = z
  .object({
    rid: z
      .string()
      .describe("`res_…`; a placeholder has `plc_…`, the same for the same request")
      .meta({ examples: ["res_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    plane: z.enum(PLANES).describe("The group of services"),
    service: z.string().describe("A service of the plane"),
    kind: z.string(),
    name: z.string(),
    spec: JsonObject.describe(
      "The requested spec, with defaults. A field with `x-redacted` in the schema of its kind is stored sealed: only `[redacted]`, or of a URL the host and path, is shown",
    ),
    state: z.enum(RESOURCE_STATES).describe(STATES_TEXT),
    provisioned: z.boolean().describe("Its effect exists; false for placeholders, and before the first observation"),
    reason: z
      .object({ code: z.string(), message: z.string(), remedy: z.string().optional() })
      .nullable()
      .describe("Why it has its state, if there is a reason"),
    plan: z
      .array(z.object({ step: z.string(), what: z.string(), proof: z.string() }))
      .nullable()
      .describe("Of a placeholder: the steps of provisioning, and how to verify each; otherwise null"),
    generation: z.int().describe("Counts the changes of the spec, from 1"),
    observed: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("The last observation of its effect; null before the first one"),
    observed_at: z.iso
      .datetime()
      .nullable()
      .describe(
        "When `observed` became what it is; observations that change nothing keep it. null before the first one",
      ),
    endpoints: z.array(z.object({ protocol: z.string(), url: z.string() })).describe("Where its effect is reached"),
    try_it: z.array(z.object({ title: z.string(), command: z.string() })).describe("Commands that show its effect"),
    secrets: z
      .record(z.string(), z.string())
      .optional()
      .describe("Only in the response to the creation of a resource that has any: nothing shows them again"),
    created_at: z.iso.datetime().nullable().describe("null for placeholders"),
    updated_at: z.iso.datetime().nullable().describe("null for placeholders"),
  })
  .meta({ id: "Resource" });
export type Resource = z.infer<typeof Resource>;

/** A stored resource. */
export type StoredResource = ResourceRow;

export const stateOf = ({ state }: Pick<StoredResource, "state">): ResourceState => state as ResourceState;

/** The spec of a resource with the values of its sealed fields: for its effect alone. */
export const specOf = (families: Families, row: StoredResource): Record<string, unknown> => {
  const { spec: schema } = families.kindOf({ ...serviceOf(row), kind: row.kind });
  return openedSpec({ keys: families.keys, schema, id: row.id }, row);
};

/** A resource as its effect receives it, with the values of its sealed fields. */
export const desiredOf = (families: Families, row: StoredResource): DesiredResource => ({
  ...shownOf(row),
  spec: specOf(families, row),
});

/** The same with redacted fields, for what is shown. */
const shownOf = (row: StoredResource): DesiredResource => ({
  rid: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  mode: row.mode,
  name: row.name,
  spec: row.spec,
  generation: row.generation,
  createdAt: row.createdAt,
  createdBy: row.createdBy as unknown as Creator,
  secretHashes: row.secretHashes as Record<string, string>,
});

/** It was ready, and its effect has not followed the last change of its spec. */
export const isBehind = ({ state, generation, observedGeneration }: StoredResource): boolean =>
  state === "ready" && observedGeneration !== generation;

/** A resource as the API shows it: `ready` says that the effect is that of the last change. */
export function toResource(families: Families, row: StoredResource): Resource {
  const place = serviceOf(row);
  const kind = families.kindOf({ ...place, kind: row.kind });
  const spec = redactedSpec(kind.spec, row.spec as Record<string, Json>);
  const isPlaceholder = row.state === "placeholder";
  const isThere = (row.state === "ready" || row.state === "degraded") && row.observed !== null;
  return {
    rid: row.id,
    project_id: row.projectId,
    mode: row.mode,
    ...place,
    kind: row.kind,
    name: row.name,
    spec,
    state: isBehind(row) ? "provisioning" : stateOf(row),
    provisioned: isThere && row.observedGeneration !== null,
    reason: row.reason as Resource["reason"],
    plan: isPlaceholder ? families.planOf({ ...place, kind: row.kind, name: row.name }, spec) : null,
    generation: row.generation,
    observed: row.observed as Observed | null,
    observed_at: row.observedAt?.toISOString() ?? null,
    ...(isThere ? shownBy(kind, row) : { endpoints: [], try_it: [] }),
    created_at: isPlaceholder ? null : row.createdAt.toISOString(),
    updated_at: isPlaceholder ? null : row.updatedAt.toISOString(),
  };
}

const shownBy = (kind: Kind, row: StoredResource) => ({
  endpoints: kind.endpoints?.(shownOf(row), row.observed as Observed) ?? [],
  try_it: kind.tryIt?.(shownOf(row), row.observed as Observed) ?? [],
});

export const reasonOf = ({ code, message, remedy }: Blocker) => ({ code, message, remedy });

export const resourceTarget = targetOf("resource");

/** Where the events of a resource belong. */
export const originOf = ({ projectId, mode }: Pick<StoredResource, "projectId" | "mode">) => ({ projectId, mode });

/** The same error for a resource that does not exist and for one that the caller may not see. */
export const noSuchResource = (rid: string): ServiceError =>
  new ServiceError("not_found", `No resource has the id "${rid.slice(0, 80)}".`, { param: "rid" });
