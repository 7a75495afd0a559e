import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFields } from "../../../identity/owner-fields";
import { findProject } from "../../../identity/projects/find-project";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { ChatSettingsView, toChatSettings } from "./chat-settings";
import { chatSettingsExample } from "./chat-settings.example";

/** Returns the settings of one project and mode. Throws `not_found` for the project. */
export const getChatSettings = operation({
  id: "getChatSettings",
  summary: "Get the settings of chat requests",
  access: "gateway:read",
  input: z.strictObject(ownerFields),
  output: ChatSettingsView,
  example: { input: {}, output: chatSettingsExample },
  run: async ({ db, actor }: ActorCtx, input) => {
    const { id: projectId } = await findProject(db, actor, input.project);
    const owner = { projectId, mode: modeOf(actor, input.mode) };
    return toChatSettings(owner, await db.chatSetting.findUnique({ where: { projectId_mode: owner } }));
  },
});
