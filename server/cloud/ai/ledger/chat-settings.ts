import { z } from "zod";
import type { ChatSetting } from "../../../engines/postgres/generated/client";
import { ModeName } from "../../../identity/wire-text";
import type { Mode } from "../../../operation/actor";
import { settingFields } from "./chat-fields";

/** How the chat requests of one project and mode are recorded and answered. */
export const ChatSettingsView = z
  .object({
    project_id: z.string(),
    mode: ModeName,
    stores_bodies: settingFields.stores_bodies,
    cache_seconds: settingFields.cache_seconds,
    offers_default: z.object({ channel_id: z.string(), limit: z.int() }).nullable(),
    updated_at: z.iso.datetime().nullable().describe("null: nothing was changed yet"),
  })
  .meta({ id: "ChatSettings" });
export type ChatSettingsView = z.infer<typeof ChatSettingsView>;

export const toChatSettings = (
  owner: { projectId: string; mode: Mode },
  row: ChatSetting | null,
): ChatSettingsView => ({
  project_id: owner.projectId,
  mode: owner.mode,
  stores_bodies: row?.storesBodies ?? false,
  cache_seconds: row?.cacheSeconds ?? 0,
  offers_default: row?.offersChannelId ? { channel_id: row.offersChannelId, limit: row.offersLimit } : null,
  updated_at: row?.updatedAt.toISOString() ?? null,
});
