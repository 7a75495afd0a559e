import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { ownerScope } from "../../../identity/projects/owner-scope";
import { IdText } from "../../../identity/wire-text";
import { sumChatRequests, toChatSums } from "../../ai/ledger/chat-sums";
import { operation } from "../../cloud-operation";
import { type MetricsQuery, podMetrics, queueMetrics, webhookMetrics } from "./metrics.sql";
import { MetricsSummary } from "./metrics-summary";
import { metricsSummaryExample } from "./metrics-summary.example";
import type { UsageCtx } from "./usage-ctx";

const HOUR_MS = 3_600_000;
/** Of what is kept of queues, chat requests and deliveries, the shortest. */
const HOURS_MAX = 168;

/** Returns what ran in the last hours and what there is now. Throws `not_found` for the project. */
export const getMetricsSummary = operation({
  id: "getMetricsSummary",
  summary: "Get what ran in the last hours, and what there is now",
  description:
    "Sums of the meters of pods, chat, queues, storage and webhooks over the last `window_hours` hours, and what there is now. A key reads its own project and mode.",
  access: "usage:read",
  cost: "report",
  input: z.strictObject({
    window_hours: z.coerce
      .number()
      .int()
      .min(1)
      .max(HOURS_MAX)
      .default(24)
      .describe(`The period: this many hours up to now, 1 to ${HOURS_MAX}`),
    mode: ownerFields.mode,
    project: IdText.optional().describe("Only this project, by its id or name; a key always uses its own project"),
  }),
  output: MetricsSummary,
  example: { input: { window_hours: 24 }, output: metricsSummaryExample },
  run: async ({ db, sql, actor, clock, currency }: UsageCtx, { window_hours, ...asked }) => {
    const to = clock.now();
    const query: MetricsQuery = {
      tenantId: actor.tenantId,
      to,
      ...(await ownerScope({ db, actor }, asked)),
      from: new Date(to.getTime() - window_hours * HOUR_MS),
    };
    const [pods, chat, queues, storage, webhooks] = await Promise.all([
      podMetrics(sql, query),
      sumChatRequests(sql, query, { groups: [], take: 1 }),
      queueMetrics(sql, query),
      storedNow(db, query),
      webhookMetrics(sql, query),
    ]);
    const period = { from: query.from.toISOString(), to: to.toISOString() };
    const [sums] = chat.map(toChatSums);
    if (!sums) throw new Error("A sum without groups has one row.");
    return { ...period, mode: query.mode, currency, pods, chat: sums, queues, storage, webhooks };
  },
});

async function storedNow(
  db: UsageCtx["db"],
  { tenantId, mode, projectId }: MetricsQuery,
): Promise<MetricsSummary["storage"]> {
  const where = { tenantId, mode, ...(projectId !== undefined && { projectId }) };
  const { _count, _sum } = await db.bucket.aggregate({ where, _count: true, _sum: { objects: true, bytes: true } });
  return { buckets: _count, objects: Number(_sum.objects ?? 0), bytes: Number(_sum.bytes ?? 0) };
}
