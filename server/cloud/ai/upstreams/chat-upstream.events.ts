import { z } from "zod";
import { type EventKind, eventKind } from "../../../operation/event-kind";
import { ChatUpstream } from "./chat-upstream";
import { chatUpstreamExample } from "./chat-upstream.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const Fields = ChatUpstream.extend({});

export const chatUpstreamCreated = eventKind({
  type: "chat_upstream.created",
  description: "An upstream for chat models was created.",
  data: Fields,
  example: chatUpstreamExample,
});

export const chatUpstreamUpdated = eventKind({
  type: "chat_upstream.updated",
  description: "The settings of an upstream for chat models changed.",
  data: Fields.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...chatUpstreamExample, changed: ["weight"] },
});

export const chatUpstreamDeleted = eventKind({
  type: "chat_upstream.deleted",
  description: "An upstream for chat models was deleted.",
  data: Fields,
  example: chatUpstreamExample,
});

export const chatUpstreamEventKinds: readonly EventKind[] = [
  chatUpstreamCreated,
  chatUpstreamUpdated,
  chatUpstreamDeleted,
];
