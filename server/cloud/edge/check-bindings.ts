import { ServiceError } from "../../kernel/errors";
import type { Scope } from "../../operation/actor";
import type { CloudCtx } from "../cloud-ctx";
import { findQueue } from "../queues/find-queue";
import { findBucket } from "../storage/find-bucket";
import type { Binding } from "./edge-fields";
import { actorOf } from "./edge-place";
import type { EdgePlace } from "./edge-runner";

const SCOPES: Record<Binding["type"], readonly Scope[]> = {
  kv: [],
  object: ["storage:read", "storage:write"],
  queue: ["queues:write"],
};

/**
 * Checks that what bindings name exists in the place of the function, and that the caller may use it: code can do all
 * that its bindings allow. Throws `not_found` and `forbidden`, with `param`.
 */
export async function checkBindings(ctx: CloudCtx, place: EdgePlace, bindings: readonly Binding[]): Promise<void> {
  requireBindingScopes(ctx, bindings);
  const own = { ...ctx, actor: actorOf(place) };
  for (const [index, binding] of bindings.entries()) {
    const lookUp = async () => {
      if (binding.type === "object") await findBucket(own, { bucket: binding.bucket });
      if (binding.type === "queue") await findQueue(own, { q: binding.queue });
    };
    await lookUp().catch((failure: unknown) => {
      if (!(failure instanceof ServiceError) || failure.code !== "not_found") throw failure;
      const param = `bindings[${index}]`;
      throw new ServiceError("not_found", `${param}: ${failure.message} It must be of the project and mode.`, {
        param,
      });
    });
  }
}

/** Throws `forbidden` for a caller who may not use what the code of a function can use. */
export function requireBindingScopes({ actor }: Pick<CloudCtx, "actor">, bindings: readonly Binding[]): void {
  for (const [index, { type }] of bindings.entries()) {
    const scope = SCOPES[type].find((one) => !actor.scopes.has(one));
    if (scope === undefined) continue;
    throw new ServiceError(
      "forbidden",
      `To give code a binding of the type ${type}, the caller needs the scope ${scope}.`,
      {
        ...{ param: `bindings[${index}]`, details: { reason: "scope_missing", scope } },
      },
    );
  }
}
