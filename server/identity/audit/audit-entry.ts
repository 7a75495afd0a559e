import { z } from "zod";
import type { AuditEntry as AuditRow } from "../../engines/postgres/generated/client";
import { toWire } from "../../kernel/to-wire";

/** One change in the audit log. */
export const AuditEntry = z
  .object({
    id: z.string().meta({ examples: ["aud_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    sequence: z.int().describe("1 for a tenant's first entry, without gaps"),
    at: z.iso.datetime(),
    action: z.string().meta({ examples: ["campaign.updated"] }),
    actor: z.object({
      type: z
        .enum(["api_key", "user", "operator", "visitor", "system"])
        .describe("A `visitor` is someone who is not logged in, and `system` is svc itself"),
      id: z.string().optional(),
      name: z.string().optional().describe("The current name of the key or email of the member"),
    }),
    targets: z
      .array(z.object({ type: z.string(), id: z.string(), name: z.string().optional() }))
      .describe("The changed objects, with their names at that time"),
    context: z
      .object({
        request_id: z.string().optional(),
        address: z.string().optional(),
        user_agent: z.string().optional(),
      })
      .describe("Empty when no request caused the change"),
    details: z
      .record(z.string(), z.unknown())
      .describe("For an update `changes`: the value of each field, `from` and `to`, truncated to 500 characters"),
    hash: z.string().describe("SHA-256 over this entry and `previous_hash`, in hex"),
    previous_hash: z.string().describe("The hash of the previous entry; empty for the first"),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.output<typeof AuditEntry>;

/** `names` maps the ids of actors to their names. */
export function auditEntryOf(row: AuditRow, names: ReadonlyMap<string, string>): AuditEntry {
  const actor = row.actor as AuditEntry["actor"];
  const name = names.get(actor.id ?? "");
  return toWire(AuditEntry, row, {
    actor: { ...actor, ...(name !== undefined && { name }) },
    targets: row.targets as AuditEntry["targets"],
    context: row.context as AuditEntry["context"],
    details: row.details as AuditEntry["details"],
  });
}
