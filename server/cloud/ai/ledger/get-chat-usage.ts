import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFilter } from "../../../identity/owner-fields";
import { ownerScope } from "../../../identity/projects/owner-scope";
import { Moment } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { EXAMPLE_TIME } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import type { ChatLedgerCtx } from "./chat-ledger-ctx";
import { USAGE_GROUPS, type UsageGroup, type UsageRow } from "./chat-log.sql";
import { ChatSums, sumChatRequests, toChatSums } from "./chat-sums";

const DAY_MS = 86_400_000;
const PERIOD_DEFAULT_MS = 7 * DAY_MS;
const PERIOD_MAX_MS = 31 * DAY_MS;
const ROWS_MAX = 5000;
const GROUPS = Object.keys(USAGE_GROUPS) as UsageGroup[];

export const ChatUsageReport = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  currency: z.string(),
  simulated: z.boolean().describe("true in test mode, in which nothing is charged"),
  data: z.array(
    z.object({
      day: z.string().optional().describe("In UTC: 2026-11-20"),
      hour: z.string().optional().describe("The beginning of the hour in UTC: 2026-11-20T09:00:00Z"),
      model: z.string().optional(),
      key: z.string().nullable().optional().describe("The id of the API key; null: people in the playground"),
      upstream: z.string().nullable().optional().describe("null: no upstream was called"),
      ...ChatSums.shape,
    }),
  ),
});

const GroupBy = z
  .string()
  .max(100)
  .default("day")
  .describe(`Comma-separated, in the order of the rows: ${GROUPS.join(", ")}; empty: one row for all`);

/** Returns tokens, cost and latency by group. Throws `invalid_request` for a period or groups that it cannot return. */
export const getChatUsage = operation({
  id: "getChatUsage",
  summary: "Get requests, tokens, cost and latency of chat requests over time",
  description:
    "Sums over the requests that began in the period and have ended, in rows by `group_by`. Without `from` the last 7 days; at most 31 days and 5,000 rows. Groups without requests have no row.",
  access: "gateway:read",
  cost: "report",
  input: z.strictObject({
    from: Moment.optional().describe("Default: 7 days before `to`"),
    to: Moment.optional().describe("Exclusive. Default: now"),
    group_by: GroupBy,
    ...ownerFilter("requests"),
  }),
  output: ChatUsageReport,
  example: {
    input: { from: EXAMPLE_TIME, to: "2026-11-21T09:00:00.000Z", group_by: "day,model" },
    output: {
      from: EXAMPLE_TIME,
      to: "2026-11-21T09:00:00.000Z",
      currency: "USD",
      simulated: false,
      data: [
        {
          day: "2026-11-20",
          model: "gpt-4o-mini",
          requests: 1204,
          errors: 3,
          cached: 96,
          prompt_tokens: 496_048,
          completion_tokens: 223_944,
          cost_micros: 208_773.6,
          latency_ms: { p50: 1890, p95: 4210 },
          first_byte_ms: { p50: 305, p95: 720 },
        },
      ],
    },
  },
  run: async ({ db, sql, actor, clock, currency }: ActorCtx & Pick<ChatLedgerCtx, "currency" | "sql">, input) => {
    const groups = groupsOf(input.group_by);
    const to = input.to ?? clock.now();
    const from = input.from ?? new Date(to.getTime() - PERIOD_DEFAULT_MS);
    assertPeriod(from, to);
    const { mode, projectId } = await ownerScope({ db, actor }, input);
    const period = { tenantId: actor.tenantId, projectId, mode, from, to };
    const rows = await sumChatRequests(sql, period, { groups, take: ROWS_MAX + 1 });
    if (rows.length > ROWS_MAX)
      throw invalid("group_by", `The usage has more than ${ROWS_MAX} rows; choose fewer groups or a shorter period.`);
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      currency,
      simulated: mode === "test",
      data: rows.map((row) => toUsage(row, groups)),
    };
  },
});

function groupsOf(text: string): UsageGroup[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const groups = GROUPS.filter((group) => names.includes(group));
  if (groups.length === names.length) return names as UsageGroup[];
  throw invalid("group_by", `group_by: expected different ones of ${GROUPS.join(", ")}, separated by commas.`);
}

function assertPeriod(from: Date, to: Date): void {
  if (from.getTime() < 0 || from >= to) throw invalid("from", "from: expected a time before `to`.");
  if (to.getTime() - from.getTime() > PERIOD_MAX_MS) throw invalid("from", "from: a period has at most 31 days.");
}

const invalid = (param: string, sentence: string): ServiceError =>
  new ServiceError("invalid_request", sentence, { param });

const toUsage = (row: UsageRow, groups: readonly UsageGroup[]) => ({
  ...(Object.fromEntries(groups.map((group) => [group, row[group] ?? null])) as Record<"day", string>),
  ...toChatSums(row),
});
