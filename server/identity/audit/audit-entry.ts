import { z } from "zod";
import type { AuditEntry as AuditRow } from "../../engines/postgres/generated/client";

/** One change, as the audit log tells it. */
export const AuditEntry = z
  .object({
    id: z.string().meta({ examples: ["aud_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    sequence: z.int().describe("1 for a tenant's first entry, without gaps"),
    at: z.iso.datetime(),
    action: z.string().meta({ examples: ["campaign.updated"] }),
    actor: z.object({
      type: z.enum(["api_key", "user", "operator", "visitor"]).describe("A visitor is not logged in"),
      id: z.string().optional(),
      name: z.string().optional().describe("The key's name or the member's email today"),
    }),
    targets: z
      .array(z.object({ type: z.string(), id: z.string(), name: z.string().optional() }))
      .describe("What it concerns, named as it was then"),
    context: z
      .object({
        request_id: z.string().optional(),
        address: z.string().optional(),
        user_agent: z.string().optional(),
      })
      .describe("Empty where no request caused it"),
    details: z
      .record(z.string(), z.unknown())
      .describe("For an update `changes`: each field's value `from` and `to`, cut after 500 characters"),
    hash: z.string().describe("SHA-256 over this entry and `previous_hash`, in hex"),
    previous_hash: z.string().describe("Of the entry before; empty for the first"),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.output<typeof AuditEntry>;

/** `names` of actors by their id. */
export function auditEntryOf(row: AuditRow, names: ReadonlyMap<string, string>): AuditEntry {
  const actor = row.actor as AuditEntry["actor"];
  const name = names.get(actor.id ?? "");
  return {
    id: row.id,
    sequence: Number(row.sequence),
    at: row.at.toISOString(),
    action: row.action,
    actor: { ...actor, ...(name !== undefined && { name }) },
    targets: row.targets as AuditEntry["targets"],
    context: row.context as AuditEntry["context"],
    details: row.details as AuditEntry["details"],
    hash: row.hash,
    previous_hash: row.previousHash,
  };
}
