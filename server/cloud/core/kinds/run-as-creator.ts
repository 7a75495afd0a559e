import { assertQuota } from "../../../identity/quotas/assert-quota";
import type { Scope } from "../../../operation/actor";
import type { AnyOperation } from "../../../operation/operation";
import { type Input, runInner } from "../../../operation/pipeline";
import { creatorCtx } from "./creator-ctx";
import type { DesiredResource } from "./kind";

/**
 * Runs an operation of another noun on behalf of who created a resource, with the scope of that operation alone: its input
 * is checked, and it counts against the quotas of the tenant, as if the creator had called it. Throws what they would
 * receive.
 */
export function runAsCreator<O extends AnyOperation>(
  parts: Omit<Parameters<O["run"]>[0], "actor" | "request">,
  desired: DesiredResource,
  { operation, sent }: { operation: O; sent: Input },
): Promise<Awaited<ReturnType<O["run"]>>> {
  const ctx = creatorCtx(parts, desired, new Set([operation.access as Scope]));
  return runInner({ assertQuota }, { operation, ctx, actor: ctx.actor, sent });
}
