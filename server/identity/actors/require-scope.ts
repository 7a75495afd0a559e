import { ServiceError } from "../../kernel/errors";
import type { Actor, Scope } from "./actor";

/** Throws `forbidden`, naming the scope, unless the actor holds it. */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.scopes.has(scope)) return;
  const who = actor.kind === "key" ? "This key" : `The role ${actor.role}`;
  throw new ServiceError("forbidden", `${who} does not have the scope ${scope}.`, {
    details: { reason: "scope_missing", scope },
  });
}
