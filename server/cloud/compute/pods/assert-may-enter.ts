import { ServiceError } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import type { StoredPod } from "../pod-records/stored-pod";

/**
 * Throws `forbidden` without `secrets:reveal` for a pod or sandbox whose environment has values of secrets: a program in
 * it reads them, and can print them in another form than that which is replaced in outputs.
 */
export function assertMayEnter({ scopes }: Pick<Actor, "scopes">, { env }: Pick<StoredPod, "env">): void {
  if (scopes.has("secrets:reveal")) return;
  const names = Object.entries(env as Record<string, unknown>).flatMap(([name, value]) =>
    typeof value === "string" ? [] : name,
  );
  if (names.length === 0) return;
  throw new ServiceError(
    "forbidden",
    `It holds values of secrets, which programs and files in it can show, so the caller needs the scope secrets:reveal (${names.slice(0, 3).join(", ")}).`,
    { details: { reason: "scope_missing", scope: "secrets:reveal" } },
  );
}
