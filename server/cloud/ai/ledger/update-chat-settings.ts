import { z } from "zod";
import { recordUpdate } from "../../../identity/audit/record-update";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFields } from "../../../identity/owner-fields";
import { findProject } from "../../../identity/projects/find-project";
import { ServiceError } from "../../../kernel/errors";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { announceChatRules } from "./announce-chat-rules";
import { settingFields } from "./chat-fields";
import type { ChatLedgerCtx } from "./chat-ledger-ctx";
import { ChatSettingsView, toChatSettings } from "./chat-settings";
import { chatSettingsUpdated } from "./chat-settings.events";
import { chatSettingsExample } from "./chat-settings.example";

/** Changes the given settings of one project and mode. Throws `not_found` for the project or the channel. */
export const updateChatSettings = operation({
  id: "updateChatSettings",
  summary: "Change the settings of chat requests",
  description: "Changes apply from the next request on, in every process. Each project has settings for each mode.",
  access: "gateway:write",
  input: z.strictObject({
    stores_bodies: settingFields.stores_bodies.optional(),
    cache_seconds: settingFields.cache_seconds.optional(),
    offers_default: settingFields.offers_default.optional(),
    ...ownerFields,
  }),
  output: ChatSettingsView,
  example: { input: { cache_seconds: 600 }, output: chatSettingsExample },
  run: async (ctx: ActorCtx & Pick<ChatLedgerCtx, "counters" | "promptOffers">, input) => {
    const { db, actor, clock, promptOffers, counters } = ctx;
    const { settings, projectId } = await db.$transaction(async (tx) => {
      const { id: projectId } = await findProject(tx, actor, input.project);
      const owner = { projectId, mode: modeOf(actor, input.mode) };
      const offers = input.offers_default;
      if (
        offers &&
        !promptOffers.hasChannel({ tenantId: actor.tenantId, mode: owner.mode, channelId: offers.channel_id })
      ) {
        throw new ServiceError("not_found", `No channel of this mode has the id "${offers.channel_id.slice(0, 80)}".`, {
          param: "offers_default.channel_id",
        });
      }
      await tx.$queryRaw`SELECT id FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`;
      const before = await tx.chatSetting.findUnique({ where: { projectId_mode: owner } });
      const changes = {
        ...(input.stores_bodies !== undefined && { storesBodies: input.stores_bodies }),
        ...(input.cache_seconds !== undefined && { cacheSeconds: input.cache_seconds }),
        ...(offers !== undefined && { offersChannelId: offers?.channel_id ?? null, offersLimit: offers?.limit ?? 3 }),
        updatedAt: clock.now(),
      };
      const row = await tx.chatSetting.upsert({
        where: { projectId_mode: owner },
        create: { ...owner, tenantId: actor.tenantId, ...changes },
        update: changes,
      });
      const [old, settings] = [toChatSettings(owner, before), toChatSettings(owner, row)];
      const event = (changed: string[]) => newEvent(chatSettingsUpdated, { ...settings, changed }, owner);
      const target = { type: "chat_settings", id: `${projectId}:${owner.mode}` };
      await recordUpdate(tx, ctx, { target, before: old, after: settings, event });
      return { settings, projectId };
    });
    await announceChatRules(counters, projectId);
    return settings;
  },
});
