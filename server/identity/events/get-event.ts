import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { IdText } from "../wire-text";
import { Event, toEvent, visibleEvents } from "./event";
import { eventExample } from "./event.example";

/** Returns one event. Throws `not_found`, also after 30 days and for one that the actor may not see. */
export const getEvent = operation({
  id: "getEvent",
  summary: "Get an event",
  access: "webhooks:read",
  input: z.strictObject({ id: IdText }),
  output: Event,
  example: { input: { id: eventExample.id }, output: eventExample },
  run: async ({ db, actor, clock }: ActorCtx, { id }) => {
    const row = await db.event.findFirst({ where: { ...visibleEvents(actor, clock), id } });
    if (!row) throw notFound("event", id);
    return toEvent(row);
  },
});
