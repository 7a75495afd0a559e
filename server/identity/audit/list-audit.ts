import { z } from "zod";
import type { AuditEntry as AuditRow, Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import type { ActorCtx } from "../identity-ctx";
import { IdText } from "../wire-text";
import { type AuditEntry, auditEntryOf } from "./audit-entry";

const Moment = z.iso.datetime({
  offset: true,
  error: "expected a time such as 2026-11-20T08:00:00Z, with an offset",
});

export const ListAudit = z.strictObject({
  ...PageQuery.shape,
  action: z
    .string()
    .max(100)
    .regex(/^[a-z_]+\.([a-z_]+|\*)$/, "expected an action such as campaign.updated, or campaign.* for all of a kind")
    .optional()
    .describe("An action, or all of a kind: `campaign.*`"),
  actor_id: IdText.optional().describe("Of a user or an API key"),
  target_id: IdText.optional().describe("Of what was changed"),
  from: Moment.optional().describe("From this moment on"),
  to: Moment.optional().describe("Before this moment"),
});
type ListAudit = z.output<typeof ListAudit>;

/** The audit log of the actor's tenant, newest first. Throws `invalid_request` for a `to` that is not after `from`. */
export async function listAudit(ctx: ActorCtx, input: ListAudit): Promise<Page<AuditEntry>> {
  const { db, clock, actor, cursorKey } = ctx;
  const { tenantId } = actor;
  const where = whereOf(input);
  const { cursor: _cursor, limit: _limit, ...filters } = input;
  const filter = JSON.stringify(["audit", Object.entries(filters).sort()]);
  const page = await fetchPage({ key: cursorKey, clock, tenantId, filter }, input, async ({ after, take }) => {
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
}

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

/** The names of the actors that belong to the same tenant still. */
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
