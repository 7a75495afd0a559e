import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { findProject } from "../../../identity/projects/find-project";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import type { Blocker } from "../kinds/kind";
import { assertPlaneScope } from "../planes/plane-scope";
import { insertResource } from "../records/insert-resource";
import { Resource, specOf, toResource } from "../records/resource";
import { resourceExample } from "../records/resource.example";
import type { ResourceCtx } from "../records/resource-ctx";
import { checkReferences } from "../references/references";
import { parseSpec, withKeptValues } from "../specs/specs";
import { resourceFields } from "./resource-fields";

const Input = z.strictObject({
  plane: resourceFields.plane,
  service: resourceFields.service,
  kind: resourceFields.kind.optional(),
  name: resourceFields.name,
  spec: resourceFields.spec.optional(),
  ...ownerFields,
});

/**
 * Creates a resource and provisions it, or returns a placeholder. Throws `invalid_request` for the kind or the spec,
 * `not_found` for the project, `conflict` (reason `name_taken`) and `quota_exceeded`.
 */
export const createResource = operation({
  id: "createResource",
  summary: "Create a resource of a service",
  description:
    "When the service is activated, its effect is really provisioned: the response is sent when it is ready, or after 5 seconds while that continues. Otherwise, or where this installation cannot provision it, the response is a placeholder with the reason and the plan, the same for the same request. A request with the name, kind and spec of a resource that exists returns that one; another kind or spec is 409 with the reason `name_taken`.",
  access: "plane:write",
  takesLong: true,
  stores: true,
  idempotent: true,
  result: "created",
  input: Input,
  output: Resource,
  example: { input: { service: "object", name: resourceExample.name }, output: resourceExample },
  prepare: (ctx: ResourceCtx, input) => prepare(ctx, input),
  run: async (ctx: ResourceCtx, input, options) => {
    const { actor, families } = ctx;
    assertPlaneScope(actor, input.plane, "write");
    const { name: kindName } = families.askedKind(input);
    const mode = modeOf(actor, input.mode);
    const { blocker, spec } = options?.prepared ?? (await prepare(ctx, input));
    const { row, secrets } = await ctx.db.$transaction(async (tx) => {
      const { id: projectId } = await findProject(tx, actor, input.project);
      const { plane, service, name } = input;
      const identity = { tenantId: actor.tenantId, projectId, mode, plane, service, kind: kindName, name, spec };
      return insertResource(tx, ctx, { identity, blocker });
    });
    return { ...toResource(families, row), ...(secrets && { secrets }) };
  },
  afterCommit: async (ctx: ResourceCtx, created, options) => {
    if (created.state !== "provisioning") return created;
    const { rid, secrets } = created;
    const resource = toResource(ctx.families, await ctx.waitUntilStable(rid, options?.signal));
    return { ...resource, ...(secrets && { secrets }) };
  },
});

interface Prepared {
  spec: unknown;
  blocker: Blocker | undefined;
}

/**
 * Its spec, and what is missing for it, such as a Kubernetes, which is asked for it. Throws for what the caller may not
 * use, and `not_found` for what its spec refers to.
 */
async function prepare(ctx: ResourceCtx, input: z.output<typeof Input>): Promise<Prepared> {
  const { actor, families, db } = ctx;
  assertPlaneScope(actor, input.plane, "write");
  const { name: kindName, kind } = families.askedKind(input);
  const { id: projectId } = await findProject(db, actor, input.project);
  const owner = { tenantId: actor.tenantId, projectId, mode: modeOf(actor, input.mode) };
  const { plane, service, name } = input;
  const where = { ...owner, plane, service, name, kind: kindName, archivedAt: null };
  // What was read of a resource or a placeholder of the name can be sent back.
  const before = await db.resource.findFirst({ where });
  const spec = parseSpec(
    kind.spec,
    before ? withKeptValues(kind.spec, input.spec, specOf(families, before)) : input.spec,
  );
  const blocker = await checkReferences(db, { owner: { ...owner, plane }, kind, spec });
  await kind.authorizeSpec?.({ ...ctx, owner }, spec);
  return { spec, blocker: blocker ?? (await kind.blockerOf?.(spec, owner)) };
}
