import { z } from "zod";
import type { Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { listScope } from "../list-scope";
import { projectsCalled } from "../projects-called";
import { IdText, ModeName } from "../wire-text";
import { Event, eventsKeptFrom, toEvent, visibleEvents } from "./event";
import { eventExample } from "./event.example";

export const ListEvents = z.strictObject({
  ...PageQuery.shape,
  type: z
    .string()
    .max(100)
    .regex(
      /^[a-z_]+(\.[a-z_]+)*\.([a-z_]+|\*)$/,
      "expected a kind such as campaign.created, or a prefix such as campaign.*",
    )
    .optional()
    .describe("Only events of a kind, such as `campaign.created`, or of a prefix, such as `campaign.*`"),
  project: IdText.optional().describe(
    "Only events of this project, by its id or name; without those of the whole tenant",
  ),
  mode: ModeName.optional().describe("The mode to list, for people (default: test); a key always lists its own mode"),
  order: z.enum(["asc", "desc"]).default("desc").describe("`desc`: newest first"),
  after: IdText.optional().describe("Only events after the one with this id; with `order=asc`"),
});
type ListEvents = z.output<typeof ListEvents>;

/**
 * Lists the events of the last 30 days in the order in which their changes were committed. A client that follows
 * them asks with `order=asc` and `after` the last event seen, and misses none: the order is assigned while the log of the tenant
 * is locked, so that no event commits later than one that comes after it. Throws `invalid_request` for an `after` that
 * is no event of the list, and `not_found` for the project.
 */
export const listEvents = operation({
  id: "listEvents",
  summary: "List events, newest first",
  description:
    "Events are kept for 30 days, in the order in which their changes were committed. To follow them, repeat the call with `order=asc` and `after` the id of the last event that you have: no event is skipped, however many changes run at once.",
  access: "webhooks:read",
  input: ListEvents,
  output: pageOf(Event),
  example: { input: { limit: 50, type: "project.*" }, output: examplePage(eventExample) },
  run: async (ctx: ActorCtx, input) => {
    const { db, actor, clock } = ctx;
    const { type, project, order, after } = input;
    const mode = modeOf(actor, input.mode);
    const own = actor.kind === "key" ? actor.projectId : undefined;
    const filters = { type, project, mode, order, after, own };
    const projects = await projectsCalled(ctx, project);
    const where = {
      AND: [
        visibleEvents(actor, clock),
        { mode },
        ofType(type),
        projects ? { projectId: { in: projects } } : {},
        await since(ctx, input),
      ],
    };
    const page = await fetchPage(listScope(ctx, "events", filters), input, async (position) => {
      const rows = await db.event.findMany({
        where: { AND: [where, beyond(order, position.after)] },
        orderBy: { sequence: order },
        take: position.take,
      });
      return rows.map((row) => ({ id: String(row.sequence), row }));
    });
    return { data: page.data.map(({ row }) => toEvent(row)), next_cursor: page.next_cursor };
  },
});

const beyond = (order: ListEvents["order"], position: string | undefined): Prisma.EventWhereInput =>
  position === undefined ? {} : { sequence: { [order === "asc" ? "gt" : "lt"]: BigInt(position) } };

const ofType = (type: string | undefined): Prisma.EventWhereInput =>
  type === undefined ? {} : { type: type.endsWith("*") ? { startsWith: type.slice(0, -1) } : type };

async function since(
  { db, actor, clock }: ActorCtx,
  { after, order }: Pick<ListEvents, "after" | "order">,
): Promise<Prisma.EventWhereInput> {
  if (after === undefined) return {};
  if (order === "desc") throw invalidAfter("`after` requires order=asc; to read back in time, use `cursor`.");
  const { createdAt: _kept, ...visible } = visibleEvents(actor, clock);
  const found = await db.event.findFirst({ where: { ...visible, id: after }, select: { sequence: true } });
  if (found) return { sequence: { gt: found.sequence } };
  // Ids sort by time: one from before the oldest kept event was deleted, and all events come after it.
  if (after.startsWith("evt_") && after < newId("evt", eventsKeptFrom(clock).getTime())) return {};
  throw invalidAfter(`after: no event has the id "${after.slice(0, 80)}"; use the id of an event of this list.`);
}

const invalidAfter = (message: string): ServiceError =>
  new ServiceError("invalid_request", message, { param: "after" });
