import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { Turns } from "../../kernel/turns";
import { type Actor, modeOf } from "../../operation/actor";
import { operation } from "../identity-operation";
import { IdText, ModeName } from "../wire-text";
import { type KeyRecord, type KeyRequestCount, NO_REQUESTS, RequestCounts, toRequestCount } from "./request-count";
import { requestCountsExample } from "./request-count.example";
import type { RequestCountCtx } from "./request-count-ctx";
import { addSums } from "./request-counter";
import { type RequestsQuery, type SummedKey, sumByKey, sumByTime } from "./request-counts.sql";
import { requestPeriodOf } from "./request-period";

const KEYS_MAX = 100;
/** The number of concurrent histories of one tenant in one process. */
const TURNS = { running: 4, waiting: 20, waitMs: 5000 };

export const createUsageTurns = (): Turns => new Turns(TURNS, "usage histories");

export const getRequestCounts = operation({
  id: "getRequestCounts",
  summary: "Count API requests by key over time",
  description:
    "Counts requests with a platform key or a channel key by the status of their responses, revoked keys included. A request without a valid key is not counted; neither are requests of the dashboard and with session tokens, and clicks and impressions that browsers report without a key. An API key reads the counts of the channel keys of its mode and the platform keys of its project and mode. Requests appear within seconds. Counts are statistics: a process that is killed loses those of its last seconds. `from` and `to` in the response are the requested ones widened to whole hours or days, at most 31 days by hour and 400 by day.",
  access: "usage:read",
  cost: "report",
  input: z.strictObject({
    from: z
      .string()
      .max(40)
      .optional()
      .describe("Date or date-time. Default: 30 days, or by hour 48 hours, before `to`"),
    to: z.string().max(40).optional().describe("Date or date-time, exclusive. Default: now"),
    interval: z.enum(["hour", "day"]).default("day").describe("Hours and days are of UTC"),
    key_id: IdText.optional().describe("Only this key: the id of an API key or of a channel key"),
    mode: ModeName.optional().describe(
      "For users only; an API key always uses its own mode. Default: the mode of `key_id`, otherwise test",
    ),
  }),
  output: RequestCounts,
  example: {
    input: { from: "2026-11-20T09:00:00Z", to: "2026-11-20T10:00:00Z", interval: "hour" },
    output: requestCountsExample,
  },
  run: async (ctx: RequestCountCtx, { key_id, ...input }) => {
    const { actor, clickhouse, usageTurns } = ctx;
    const { tenantId } = actor;
    const period = requestPeriodOf(input, ctx.clock.now());
    const key = key_id === undefined ? undefined : await keyOf(ctx, key_id);
    const query: RequestsQuery = {
      tenantId,
      mode: modeOf(actor, input.mode ?? key?.mode),
      keyId: key?.id,
      ...period,
      projectId: actor.kind === "key" ? actor.projectId : undefined,
    };
    const [sums, used] = await usageTurns.run(tenantId, () =>
      Promise.all([sumByTime(clickhouse, query), sumByKey(clickhouse, query, KEYS_MAX)]),
    );
    const records = await recordsOf(
      ctx,
      used.keys.map(({ id }) => id),
    );
    const totals = { ...NO_REQUESTS };
    for (const each of sums.values()) addSums(totals, each);
    return {
      from: new Date(period.fromMs).toISOString(),
      to: new Date(period.toMs).toISOString(),
      interval: input.interval,
      mode: query.mode,
      rows: startsOf(query).map((ms) => ({
        start: new Date(ms).toISOString(),
        ...toRequestCount(sums.get(ms) ?? NO_REQUESTS),
      })),
      totals: toRequestCount(totals),
      keys: used.keys.map((each) => toKeyCount(each, records.get(each.id))),
      keys_total: used.total,
    };
  },
});

const startsOf = ({ fromMs, toMs, intervalMs }: RequestsQuery): number[] =>
  Array.from({ length: (toMs - fromMs) / intervalMs }, (_, i) => fromMs + i * intervalMs);

/** Throws `not_found` for a key of another tenant, and for one that the actor may not see. */
async function keyOf(ctx: RequestCountCtx, id: string): Promise<KeyRecord> {
  const key = (await recordsOf(ctx, [id])).get(id);
  if (key && isVisible(key, ctx.actor)) return key;
  throw notFound("key", id);
}

const isVisible = ({ kind, mode, parentId }: KeyRecord, actor: Actor): boolean =>
  actor.kind !== "key" || (mode === actor.mode && (kind !== "platform" || parentId === actor.projectId));

async function recordsOf(
  { db, actor: { tenantId }, findKeys }: RequestCountCtx,
  ids: readonly string[],
): Promise<Map<string, KeyRecord>> {
  if (ids.length === 0) return new Map();
  const found = await Promise.all(findKeys.map((find) => find(db, { tenantId, ids })));
  return new Map(found.flat().map((key) => [key.id, key]));
}

const toKeyCount = ({ id, kind, parentId, sums }: SummedKey, record: KeyRecord | undefined): KeyRequestCount => ({
  id,
  kind,
  name: record?.name ?? null,
  project_id: kind === "platform" ? parentId : null,
  channel_id: kind === "platform" ? null : parentId,
  last_four: record?.lastFour ?? null,
  revoked_at: record?.revokedAt?.toISOString() ?? null,
  ...toRequestCount(sums),
});
