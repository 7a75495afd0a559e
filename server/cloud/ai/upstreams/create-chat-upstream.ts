import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { ownerFields } from "../../../identity/owner-fields";
import { findProject } from "../../../identity/projects/find-project";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import type { Owner } from "../../../operation/actor";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { resolveSecret } from "../../data/secrets/resolve-secret";
import { CHAT_UPSTREAM_ID_PREFIX, ChatUpstream, chatUpstreamTarget, toChatUpstream } from "./chat-upstream";
import { chatUpstreamCreated } from "./chat-upstream.events";
import { chatUpstreamExample } from "./chat-upstream.example";
import type { ChatUpstreamCtx } from "./chat-upstream-ctx";
import { assertBaseUrl, assertMaySendSecret, toModels, upstreamFields } from "./chat-upstream-fields";
import { announceUpstreamChange } from "./own-upstreams";
import { CHAT_UPSTREAM_QUOTAS } from "./upstreams.quotas";

/**
 * Creates an upstream, which the next request can use. Throws `not_found` for the project, `invalid_request` for an
 * address that is never requested, `unprocessable` for a secret that does not exist, `conflict` (`name_taken`),
 * `forbidden` for an `api_key` without `secrets:reveal`, and `quota_exceeded`.
 */
export const createChatUpstream = operation({
  id: "createChatUpstream",
  summary: "Add an upstream for chat models",
  description:
    "A server with OpenAI's API and the models that are called there. Requests of the project and mode use its own upstreams before those of the installation.",
  access: "gateway:write",
  idempotent: true,
  result: "created",
  quota: CHAT_UPSTREAM_QUOTAS.chat_upstreams,
  input: z.strictObject({
    name: upstreamFields.name,
    base_url: upstreamFields.base_url,
    api_key: upstreamFields.api_key.optional(),
    models: upstreamFields.models,
    weight: upstreamFields.weight.default(1),
    priority: upstreamFields.priority.default(0),
    ...ownerFields,
  }),
  output: ChatUpstream,
  example: {
    input: {
      name: chatUpstreamExample.name,
      base_url: chatUpstreamExample.base_url,
      mode: "live",
      api_key: chatUpstreamExample.api_key,
      models: [{ name: "gpt-4o-mini", input_price: "0.15", output_price: "0.60", context: 128_000 }],
    },
    output: chatUpstreamExample,
  },
  run: async (ctx: ChatUpstreamCtx, input) => {
    const { db, clock, actor, urlPolicy } = ctx;
    assertBaseUrl(input.base_url, urlPolicy);
    if (input.api_key) assertMaySendSecret(actor);
    const created = await db.$transaction(async (tx) => {
      const project = await findProject(tx, actor, input.project);
      const owner = { tenantId: actor.tenantId, projectId: project.id, mode: modeOf(actor, input.mode) };
      if (input.api_key) await resolveSecret(ctx, owner, input.api_key);
      await refuseTakenName(tx, owner, { name: input.name });
      const now = clock.now();
      const row = await tx.chatUpstream.create({
        data: {
          id: newId(CHAT_UPSTREAM_ID_PREFIX, now.getTime()),
          ...owner,
          name: input.name,
          baseUrl: input.base_url,
          secretName: input.api_key?.secret ?? null,
          models: toModels(input.models),
          weight: input.weight,
          priority: input.priority,
          createdAt: now,
          updatedAt: now,
        },
      });
      const upstream = toChatUpstream(row);
      await recordAudit(tx, ctx, {
        action: "chat_upstream.created",
        targets: [chatUpstreamTarget(row)],
        details: upstream,
        events: [newEvent(chatUpstreamCreated, upstream, owner)],
      });
      return upstream;
    });
    await announceUpstreamChange(ctx.counters, actor.tenantId);
    return created;
  },
});

/** Throws `conflict` if another upstream of the place has the name; locks the names of the project until `tx` ends. */
export async function refuseTakenName(
  tx: Prisma.TransactionClient,
  { tenantId, projectId, mode }: Owner,
  { name, exceptId = "" }: { name: string; exceptId?: string },
): Promise<void> {
  await tx.$queryRaw`SELECT id FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`;
  const where = { tenantId, projectId, mode, name, id: { not: exceptId } };
  if (!(await tx.chatUpstream.findFirst({ where }))) return;
  throw new ServiceError("conflict", `Another upstream is named "${name}"; choose another name.`, {
    param: "name",
    details: { reason: "name_taken" },
  });
}
