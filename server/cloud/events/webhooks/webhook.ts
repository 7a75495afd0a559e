import { z } from "zod";
import type { Prisma, Webhook as WebhookRow } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { notFound, ServiceError } from "../../../kernel/errors";
import { toWire } from "../../../kernel/to-wire";
import type { Actor } from "../../../operation/actor";

const DisabledReason = z.enum(["by_request", "gone", "failing"]);
export type DisabledReason = z.output<typeof DisabledReason>;

/** An endpoint of a tenant that receives events by HTTP. */
export const Webhook = z
  .object({
    id: z.string().meta({ examples: ["whk_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()).describe("Kinds such as `campaign.created`, prefixes such as `campaign.*`, or `*`"),
    status: z.enum(["enabled", "disabled"]),
    disabled_reason: DisabledReason.nullable().describe(
      "`gone`: the endpoint responded 410; `failing`: every attempt failed for 5 days",
    ),
    disabled_at: z.iso.datetime().nullable(),
    failing_since: z.iso.datetime().nullable().describe("The first failed attempt since the last successful one"),
    previous_secret_until: z.iso
      .datetime()
      .nullable()
      .describe("Until then requests also have a signature with the secret before the last rotation"),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.output<typeof Webhook>;

/** A webhook with its signing secret, which only the responses to create and rotate contain. */
export const WebhookWithSecret = Webhook.extend({
  secret: z
    .string()
    .describe("The signing secret; it is shown only once")
    .meta({ examples: ["whsec_…"] }),
}).meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.output<typeof WebhookWithSecret>;

/** `now` hides the end of a previous secret that has passed. */
export const toWebhook = (row: WebhookRow, now: Date): Webhook =>
  toWire(Webhook, row, {
    disabled_reason: row.disabledReason as DisabledReason | null,
    previous_secret_until:
      row.previousSecretUntil && row.previousSecretUntil > now ? row.previousSecretUntil.toISOString() : null,
  });

/**
 * A webhook as events and the audit log contain it: its URL without the query, in which receivers of other products
 * expect tokens.
 */
export const withoutUrlQuery = (webhook: Webhook): Webhook => ({ ...webhook, url: loggedUrl(webhook.url) });

export function loggedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** The webhooks that an actor may see: a key those of its own project and mode, a person all of the tenant. */
export const visibleTo = (actor: Actor) =>
  actor.kind === "key"
    ? { tenantId: actor.tenantId, projectId: actor.projectId, mode: actor.mode, deletedAt: null }
    : { tenantId: actor.tenantId, deletedAt: null };

/** Returns a webhook that the actor may see. Throws `not_found`. */
export async function ownWebhook(
  { db, actor }: { db: Pick<Prisma.TransactionClient, "webhook">; actor: Actor },
  id: string,
): Promise<WebhookRow> {
  const row = await db.webhook.findFirst({ where: { ...visibleTo(actor), id } });
  if (!row) throw notFound("webhook", id);
  return row;
}

/** The audit target of a webhook. */
export const webhookTarget = targetOf("webhook");

/** Throws `conflict` for a disabled webhook, to which nothing is sent. */
export function assertEnabled({ status }: Pick<WebhookRow, "status">): void {
  if (status === "enabled") return;
  throw new ServiceError("conflict", 'This webhook is disabled; enable it first, with status "enabled".', {
    details: { reason: "webhook_disabled" },
  });
}
