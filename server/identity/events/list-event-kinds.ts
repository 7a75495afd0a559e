import { z } from "zod";
import { pageOf } from "../../kernel/page";
import type { EventKind } from "../../operation/event-kind";
import { EXAMPLE_TIME, exampleId, examplePage } from "../../operation/example";
import { operation } from "../identity-operation";
import { Event } from "./event";
import { eventExample } from "./event.example";

const ListedEventKind = z
  .object({
    type: z.string(),
    description: z.string(),
    data_schema: z.record(z.string(), z.unknown()).describe("The JSON schema of `data`"),
    example_event: Event.describe("Such an event, as it is delivered"),
  })
  .meta({ id: "EventKind" });
export type ListedEventKind = z.output<typeof ListedEventKind>;

/** Lists every kind of event on one page, by type. */
export const listEventKinds = operation({
  id: "listEventKinds",
  summary: "List the kinds of events",
  description: "Webhooks subscribe to kinds such as `project.created`, or to prefixes such as `project.*`.",
  access: "webhooks:read",
  input: z.strictObject({}),
  output: pageOf(ListedEventKind),
  example: {
    input: {},
    output: examplePage({
      type: "project.created",
      description: "A project was created.",
      data_schema: { type: "object" },
      example_event: eventExample,
    }),
  },
  run: async ({ eventKinds }: { eventKinds: readonly EventKind[] }) => ({
    data: eventKinds.map(toListedEventKind),
    next_cursor: null,
  }),
});

/** A kind of event as the API and the documentation list it. */
export function toListedEventKind({ type, description, data, example }: EventKind): ListedEventKind {
  // What belongs to a project or a mode says so in its data too.
  const { project_id = null, mode = "live" } = example as Partial<Pick<Event, "project_id" | "mode">>;
  const [id, tenant_id] = [exampleId("evt"), exampleId("ten")];
  const example_event = { id, type, created_at: EXAMPLE_TIME, tenant_id, project_id, mode, data: example };
  return { type, description, data_schema: schemaOf(data), example_event };
}

const schemas = new WeakMap<z.ZodObject, ListedEventKind["data_schema"]>();

/** Kinds do not change, and converting all of them takes milliseconds. */
function schemaOf(data: z.ZodObject): ListedEventKind["data_schema"] {
  // A schema with an id, which a copy does not have, would be a reference to its definition.
  const known = schemas.get(data) ?? { ...z.toJSONSchema(data.extend({})) };
  schemas.set(data, known);
  return known;
}
