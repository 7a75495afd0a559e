import { ServiceError } from "../../../kernel/errors";
import type { Owner, Scope } from "../../../operation/actor";
import type { CodeEnv } from "../../compute/workers/code-env";
import { findBucket } from "../../data/buckets/find-bucket";
import { findQueue } from "../../data/queues/find-queue";
import type { EdgeCtx } from "./edge-ctx";
import type { Binding } from "./edge-fields";
import { actorOf } from "./edge-place";

const SCOPES: Record<Binding["type"], readonly Scope[]> = {
  kv: [],
  object: ["storage:read", "storage:write"],
  queue: ["queues:write"],
  sql: [],
};

/**
 * Checks that what bindings name exists in the place of the function, and that the caller may use it: code can do all
 * that its bindings allow. An SQL database is created if there is none. Throws `not_found` and `forbidden`, with
 * `param`, and for SQL databases `quota_exceeded` and `unavailable`.
 */
export async function checkBindings(ctx: EdgeCtx, owner: Owner, bindings: readonly Binding[]): Promise<void> {
  requireBindingScopes(ctx, bindings);
  const own = { ...ctx, actor: actorOf(owner) };
  for (const [index, binding] of bindings.entries()) {
    const lookUp = async () => {
      if (binding.type === "object") await findBucket(own, { bucket: binding.bucket });
      if (binding.type === "queue") await findQueue(own, { q: binding.queue });
      if (binding.type === "sql") await ctx.edge.ensureDatabase(owner, binding.database);
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
export function requireBindingScopes({ actor }: Pick<EdgeCtx, "actor">, bindings: readonly Binding[]): void {
  for (const [index, { type }] of bindings.entries()) {
    const scope = SCOPES[type].find((one) => !actor.scopes.has(one));
    if (scope === undefined) continue;
    throw new ServiceError(
      "forbidden",
      `To give code a binding of the type ${type}, the caller needs the scope ${scope}.`,
      {
        param: `bindings[${index}]`,
        details: { reason: "scope_missing", scope },
      },
    );
  }
}

/** Throws `invalid_request` for a variable that has the name of a binding: code finds both in `env`. */
export function refuseSameNames(bindings: readonly Binding[], env: CodeEnv): void {
  const same = bindings.find(({ name }) => Object.hasOwn(env, name));
  if (!same) return;
  throw new ServiceError(
    "invalid_request",
    `env: expected names other than those of bindings, and ${same.name} is one.`,
    {
      param: "env",
    },
  );
}
