import type { ApiKey } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import type { Actor } from "../../operation/actor";
import { scopesOf } from "./api-key";

/** Throws `forbidden` (reason `scope_missing`) for a key with scopes that the actor does not have. */
export function assertHoldsScopesOf(actor: Actor, row: ApiKey, verb: "rotate" | "revoke"): void {
  const scope = scopesOf(row).find((each) => !actor.scopes.has(each));
  if (scope === undefined) return;
  throw new ServiceError("forbidden", `You cannot ${verb} a key with the scope ${scope}, since you do not have it.`, {
    details: { reason: "scope_missing", scope },
  });
}
