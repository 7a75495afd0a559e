import { z } from "zod";
import { type EventKind, eventKind } from "../../../operation/event-kind";
import { ChatSettingsView } from "./chat-settings";
import { chatSettingsExample } from "./chat-settings.example";

export const chatSettingsUpdated = eventKind({
  type: "gateway.settings.updated",
  description: "The settings of a project's chat requests changed.",
  data: ChatSettingsView.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...chatSettingsExample, changed: ["cache_seconds"] },
});

export const chatSettingsEventKinds: readonly EventKind[] = [chatSettingsUpdated];
