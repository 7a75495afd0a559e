import { canonicalJson } from "../../../kernel/canonical-json";
import type { Actor } from "../../../operation/actor";
import { assertScope } from "../../../operation/authorize";

/**
 * Throws `forbidden` without `secrets:reveal` if a resource names secrets that it did not name before: what runs in a pod
 * can pass them on. undefined entries name none.
 */
export function assertMayNameSecrets(actor: Actor, named: readonly unknown[], before: readonly unknown[] = []): void {
  const known = new Set(textsOf(before));
  if (textsOf(named).some((one) => !known.has(one))) assertScope(actor, "secrets:reveal");
}

const textsOf = (named: readonly unknown[]): string[] =>
  named.flatMap((one) => (one === undefined ? [] : canonicalJson(one)));
