import { canonicalJson } from "../../kernel/canonical-json";
import { sha256 } from "../../kernel/secrets";
import type { Json } from "../stored-json";

/** All fields of an entry except its own hash. */
export interface AuditRecord {
  tenantId: string;
  sequence: bigint;
  id: string;
  at: Date;
  action: string;
  actor: Json;
  targets: Json;
  context: Json;
  details: Json;
  /** Empty for the first entry of a tenant. */
  previousHash: string;
}

/**
 * The SHA-256 in hex of an entry and, through `previousHash`, of all earlier ones. Postgres does not keep the order of
 * JSON names, so they are sorted.
 */
export const entryHash = (facts: AuditRecord): string =>
  sha256(
    canonicalJson([
      facts.previousHash,
      facts.tenantId,
      String(facts.sequence),
      facts.id,
      facts.at.toISOString(),
      facts.action,
      facts.actor,
      facts.targets,
      facts.context,
      facts.details,
    ]),
  );
