import { z } from "zod";
import type { Event as EventRow, Prisma } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { toWire } from "../../kernel/to-wire";
import type { Actor } from "../../operation/actor";
import { ModeName } from "../wire-text";

/** Specification, "Events": they are listed for 30 days. */
export const EVENTS_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** What happened, as webhooks deliver it and as it is listed. */
export const Event = z
  .object({
    id: z.string(),
    type: z.string().meta({ examples: ["campaign.created"] }),
    created_at: z.iso.datetime(),
    tenant_id: z.string(),
    project_id: z.string().nullable().describe("null: it concerns the whole tenant"),
    mode: ModeName.describe("Changes of projects, members and limits concern both modes and are `live`"),
    data: z.record(z.string(), z.unknown()).describe("Depends on `type`: see `GET /v1/events/kinds`"),
  })
  .meta({ id: "Event" });
export type Event = z.output<typeof Event>;

export const toEvent = (row: EventRow): Event =>
  toWire(Event, row, {
    data: row.data as Event["data"],
  });

/** Events before this time are deleted, and never shown. */
export const eventsKeptFrom = (clock: Clock): Date => new Date(clock.now().getTime() - EVENTS_KEPT_MS);

/**
 * The events that an actor may see: a key those of its own mode, and of its own project or the whole tenant; a person
 * all of the tenant.
 */
export const visibleEvents = (actor: Actor, clock: Clock): Prisma.EventWhereInput => ({
  tenantId: actor.tenantId,
  createdAt: { gte: eventsKeptFrom(clock) },
  ...(actor.kind === "key" && { mode: actor.mode, OR: [{ projectId: actor.projectId }, { projectId: null }] }),
});

/** Whether an actor may see an event of its tenant that was just written, by the rule of `visibleEvents`. */
export const seesEvent = (actor: Actor, { tenantId, mode, projectId }: EventRow): boolean =>
  tenantId === actor.tenantId &&
  (actor.kind === "person" || (mode === actor.mode && (projectId === null || projectId === actor.projectId)));
