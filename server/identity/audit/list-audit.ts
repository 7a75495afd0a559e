import { z } from "zod";
import type { AuditEntry as AuditRow, Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { examplePage } from "../../operation/example";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { listScope } from "../list-scope";
import { IdText } from "../wire-text";
import { AuditEntry, auditEntryOf } from "./audit-entry";
import { auditEntryExample } from "./audit-entry.example";

const Moment = z.iso.datetime({
  offset: true,
  error: "expected a time such as 2026-11-20T08:00:00Z, with an offset",
});

export const ListAudit = z.strictObject({
  ...PageQuery.shape,
  action: z
    .string()
    .max(100)
    .regex(
      /^[a-z_]+\.([a-z_]+|\*)$/,
      "expected an action such as campaign.updated, or campaign.* for all actions on a type",
    )
    .optional()
    .describe("An action, or all actions on a type: `campaign.*`"),
  actor_id: IdText.optional().describe("The id of a user or an API key"),
  target_id: IdText.optional().describe("The id of a changed object"),
  from: Moment.optional().describe("Entries at or after this time"),
  to: Moment.optional().describe("Entries before this time"),
});
type ListAudit = z.output<typeof ListAudit>;

/**
 * Lists the audit log of the actor's tenant, newest first. Throws `invalid_request` for a `to` that is not after
 * `from`.
 */
export const listAudit = operation({
  id: "listAudit",
  summary: "List the audit log, newest first",
  access: "audit:read",
  input: ListAudit,
  output: pageOf(AuditEntry),
  example: { input: { limit: 50, action: "project.*" }, output: examplePage(auditEntryExample) },
  run: async (ctx: ActorCtx, input) => {
    const { db, actor } = ctx;
    const { tenantId } = actor;
    const where = whereOf(input);
    const { cursor: _cursor, limit: _limit, ...filters } = input;
    const page = await fetchPage(listScope(ctx, "audit", filters), input, async ({ after, take }) => {
      const rows = await db.auditEntry.findMany({
        where: { AND: [{ tenantId }, where, after === undefined ? {} : { sequence: { lt: BigInt(after) } }] },
        orderBy: { sequence: "desc" },
        take,
      });
      return rows.map((row) => ({ id: String(row.sequence), row }));
    });
    const rows = page.data.map(({ row }) => row);
    const names = await namesOf(ctx, rows);
    return { data: rows.map((row) => auditEntryOf(row, names)), next_cursor: page.next_cursor };
  },
});

function whereOf({ action, actor_id, target_id, from, to }: ListAudit): Prisma.AuditEntryWhereInput {
  const since = from === undefined ? undefined : new Date(from);
  const until = to === undefined ? undefined : new Date(to);
  if (since && until && since >= until) {
    throw new ServiceError("invalid_request", "`to` must be after `from`.", { param: "to" });
  }
  return {
    ...(action !== undefined && {
      action: action.endsWith("*") ? { startsWith: action.slice(0, -1) } : { equals: action },
    }),
    ...(actor_id !== undefined && { actor: { path: ["id"], equals: actor_id } }),
    ...(target_id !== undefined && { targets: { array_contains: [{ id: target_id }] } }),
    ...((since || until) && { at: { ...(since && { gte: since }), ...(until && { lt: until }) } }),
  };
}

/** The names of the actors that still belong to the tenant. */
async function namesOf({ db, actor: { tenantId } }: ActorCtx, rows: AuditRow[]): Promise<Map<string, string>> {
  const actors = rows.map((row) => row.actor as AuditEntry["actor"]);
  const idsOf = (type: AuditEntry["actor"]["type"]): string[] => [
    ...new Set(actors.flatMap((actor) => (actor.type === type && actor.id !== undefined ? [actor.id] : []))),
  ];
  const [users, keys] = await Promise.all([
    db.user.findMany({
      where: { id: { in: idsOf("user") }, memberships: { some: { tenantId } } },
      select: { id: true, email: true },
    }),
    db.apiKey.findMany({ where: { id: { in: idsOf("api_key") }, tenantId }, select: { id: true, name: true } }),
  ]);
  return new Map([
    ...users.map(({ id, email }) => [id, email] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ]);
}
