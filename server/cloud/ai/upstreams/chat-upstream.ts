import { z } from "zod";
import type { ChatUpstream as ChatUpstreamRow, Prisma } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { notFound } from "../../../kernel/errors";
import { toWire } from "../../../kernel/to-wire";
import type { Actor } from "../../../operation/actor";

export const CHAT_UPSTREAM_ID_PREFIX = "ups";

const Model = z.object({
  name: z.string(),
  upstream_name: z.string(),
  kind: z.enum(["chat", "embeddings"]),
  input_price: z.string(),
  output_price: z.string(),
  context: z.int().nullable(),
});
export type StoredModel = z.output<typeof Model>;

/** A server with OpenAI's API that a tenant configured. */
export const ChatUpstream = z
  .object({
    id: z.string().meta({ examples: ["ups_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    name: z.string(),
    base_url: z.string(),
    api_key: z
      .object({ secret: z.string() })
      .nullable()
      .describe("The secret that is sent as the bearer token, by its name; null: no token"),
    models: z.array(Model),
    weight: z.number(),
    priority: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "ChatUpstream" });
export type ChatUpstream = z.output<typeof ChatUpstream>;

export const toChatUpstream = (row: ChatUpstreamRow): ChatUpstream =>
  toWire(ChatUpstream, row, {
    api_key: row.secretName === null ? null : { secret: row.secretName },
    models: row.models as StoredModel[],
  });

export const chatUpstreamTarget = targetOf("chat_upstream");

/** Where an upstream belongs. */
export const ownerOf = ({ tenantId, projectId, mode }: ChatUpstreamRow) => ({ tenantId, projectId, mode });

/** The upstreams that an actor may see: a key those of its own project and mode, a person all of the tenant. */
const visibleTo = (actor: Actor) =>
  actor.kind === "key"
    ? { tenantId: actor.tenantId, projectId: actor.projectId, mode: actor.mode }
    : { tenantId: actor.tenantId };

/** Returns an upstream that the actor may see. Throws `not_found`. */
export async function ownChatUpstream(
  { db, actor }: { db: Pick<Prisma.TransactionClient, "chatUpstream">; actor: Actor },
  id: string,
): Promise<ChatUpstreamRow> {
  const row = await db.chatUpstream.findFirst({ where: { ...visibleTo(actor), id } });
  if (!row) throw notFound("chat upstream", id);
  return row;
}
