import { z } from "zod";
import { recordUpdate } from "../../../identity/audit/record-update";
import { newEvent } from "../../../identity/events/record-event";
import { IdText } from "../../../identity/wire-text";
import { EXAMPLE_LATER } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { resolveSecret } from "../../data/secrets/resolve-secret";
import { ChatUpstream, chatUpstreamTarget, ownChatUpstream, ownerOf, toChatUpstream } from "./chat-upstream";
import { chatUpstreamUpdated } from "./chat-upstream.events";
import { chatUpstreamExample } from "./chat-upstream.example";
import type { ChatUpstreamCtx } from "./chat-upstream-ctx";
import { assertBaseUrl, assertMaySendSecret, toModels, upstreamFields } from "./chat-upstream-fields";
import { refuseTakenName } from "./create-chat-upstream";
import { announceUpstreamChange } from "./own-upstreams";

export const UpdateChatUpstream = z.strictObject({
  id: IdText,
  name: upstreamFields.name.optional(),
  base_url: upstreamFields.base_url.optional(),
  api_key: upstreamFields.api_key.optional(),
  models: upstreamFields.models.optional().describe("All models; those that are left out are removed"),
  weight: upstreamFields.weight.optional(),
  priority: upstreamFields.priority.optional(),
});
type Input = z.output<typeof UpdateChatUpstream>;

/** Changes the given settings, which apply from the next request on. Throws as `createChatUpstream` does. */
export const updateChatUpstream = operation({
  id: "updateChatUpstream",
  summary: "Update an upstream for chat models",
  access: "gateway:write",
  input: UpdateChatUpstream,
  output: ChatUpstream,
  example: {
    input: { id: chatUpstreamExample.id, weight: 2 },
    output: { ...chatUpstreamExample, weight: 2, updated_at: EXAMPLE_LATER },
  },
  run: async (ctx: ChatUpstreamCtx, input) => {
    const { db, clock, actor, urlPolicy } = ctx;
    if (input.base_url !== undefined) assertBaseUrl(input.base_url, urlPolicy);
    const updated = await db.$transaction(async (tx) => {
      const { projectId } = await ownChatUpstream({ db: tx, actor }, input.id);
      await tx.$queryRaw`SELECT id FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`;
      const before = await ownChatUpstream({ db: tx, actor }, input.id);
      const owner = ownerOf(before);
      await checkKey(ctx, before, input);
      if (input.name !== undefined) await refuseTakenName(tx, owner, { name: input.name, exceptId: before.id });
      const row = await tx.chatUpstream.update({
        where: { id: before.id },
        data: { ...changesOf(input), updatedAt: clock.now() },
      });
      const [old, upstream] = [toChatUpstream(before), toChatUpstream(row)];
      const event = (changed: string[]) => newEvent(chatUpstreamUpdated, { ...upstream, changed }, owner);
      await recordUpdate(tx, ctx, { target: chatUpstreamTarget(row), before: old, after: upstream, event });
      return upstream;
    });
    await announceUpstreamChange(ctx.counters, actor.tenantId);
    return updated;
  },
});

const changesOf = ({ name, base_url: baseUrl, api_key: key, models, weight, priority }: Input) => ({
  ...(name !== undefined && { name }),
  ...(baseUrl !== undefined && { baseUrl }),
  ...(key !== undefined && { secretName: key?.secret ?? null }),
  ...(models && { models: toModels(models) }),
  ...(weight !== undefined && { weight }),
  ...(priority !== undefined && { priority }),
});

/** A key that stays is sent to the new address, too. */
async function checkKey(
  ctx: ChatUpstreamCtx,
  before: Parameters<typeof toChatUpstream>[0],
  { api_key: key, base_url: url }: Input,
): Promise<void> {
  const secret = key === undefined ? before.secretName : (key?.secret ?? null);
  if (secret === null) return;
  if (secret !== before.secretName || (url !== undefined && url !== before.baseUrl)) assertMaySendSecret(ctx.actor);
  if (key) await resolveSecret(ctx, ownerOf(before), { secret });
}
