import { sha256 } from "../../kernel/secrets";

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** All of an entry but its own hash. */
export interface AuditFacts {
  tenantId: string;
  sequence: bigint;
  id: string;
  at: Date;
  action: string;
  actor: Json;
  targets: Json;
  context: Json;
  details: Json;
  /** "" for the first entry of a tenant. */
  previousHash: string;
}

/**
 * Hex SHA-256 of an entry and, through `previousHash`, of all before it. Postgres keeps JSON without the order of its
 * names, so they are sorted here.
 */
export const entryHash = (facts: AuditFacts): string =>
  sha256(
    JSON.stringify([
      ...[facts.previousHash, facts.tenantId, String(facts.sequence), facts.id, facts.at.toISOString(), facts.action],
      ...[facts.actor, facts.targets, facts.context, facts.details].map(sorted),
    ]),
  );

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}
