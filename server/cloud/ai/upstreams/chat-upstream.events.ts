import { z } from "zod";
import { type EventKind, eventKind, eventsOf } from "../../../operation/event-kind";
import { ChatUpstream } from "./chat-upstream";
import { chatUpstreamExample } from "./chat-upstream.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const Fields = ChatUpstream.extend({});

const eventOf = eventsOf(Fields, chatUpstreamExample);

export const chatUpstreamCreated = eventOf("chat_upstream.created", "An upstream for chat models was created.");

export const chatUpstreamUpdated = eventKind({
  type: "chat_upstream.updated",
  description: "The settings of an upstream for chat models changed.",
  data: Fields.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...chatUpstreamExample, changed: ["weight"] },
});

export const chatUpstreamDeleted = eventOf("chat_upstream.deleted", "An upstream for chat models was deleted.");

export const chatUpstreamEventKinds: readonly EventKind[] = [
  chatUpstreamCreated,
  chatUpstreamUpdated,
  chatUpstreamDeleted,
];
