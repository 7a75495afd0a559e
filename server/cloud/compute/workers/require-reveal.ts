import { ServiceError } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import type { CodeEnv } from "./code-env";

/**
 * Throws `forbidden` for a reference to a secret without `secrets:reveal`: code can pass on what it receives, so giving it
 * a secret, and giving other code to a function that has one, is the same as reading it.
 */
export function requireReveal({ scopes }: Pick<Actor, "scopes">, env: CodeEnv): void {
  if (scopes.has("secrets:reveal") || Object.values(env).every((value) => typeof value === "string")) return;
  throw new ServiceError("forbidden", "To give code a secret, the caller needs the scope secrets:reveal.", {
    param: "env",
    details: { reason: "scope_missing", scope: "secrets:reveal" },
  });
}
