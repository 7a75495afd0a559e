import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { listScope } from "../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { undefinedIfUnavailable } from "../../kernel/undefined-if-unavailable";
import { withTimeout } from "../../kernel/with-timeout";
import { type Mode, modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import { operation } from "../ads-operation";
import { id, modeChoice } from "../fields";
import { ownRows } from "../own-rows";
import { getReport } from "../reports/get-report";
import { Campaign } from "./campaign";
import { campaignExample } from "./campaign.example";
import type { CampaignCtx } from "./campaign-ctx";
import { campaignStatus } from "./campaign-fields";
import { toCampaigns } from "./to-campaigns";

const DAYS = 30;
const DAY_MS = 86_400_000;
/** People wait for the list, which is useful without figures. */
const FIGURES_WAIT_MS = 3000;
/** Ten times the default quota. */
const CAMPAIGNS_MAX = 100_000;
const SORTS = ["created", "name", "bid", "impressions", "clicks", "ctr", "spend"] as const;

const CampaignFigures = z.object({
  impressions: z.int(),
  clicks: z.int(),
  ctr: z.number().nullable(),
  spend_micros: z.int(),
});
type CampaignFigures = z.output<typeof CampaignFigures>;
const NO_EVENTS: CampaignFigures = { impressions: 0, clicks: 0, ctr: null, spend_micros: 0 };

export const ListCampaignFigures = z.strictObject({
  ...PageQuery.shape,
  mode: modeChoice,
  advertiser_id: id.optional(),
  status: campaignStatus.optional(),
  search: z.string().trim().max(100).default("").describe("Part of the name, in any case"),
  sort: z.enum(SORTS).default("created"),
  order: z.enum(["asc", "desc"]).default("desc"),
});
type Input = z.output<typeof ListCampaignFigures>;

const CampaignWithFigures = Campaign.extend({
  figures: CampaignFigures.nullable().describe("Of the last 30 days; null while the report store is unavailable"),
});

/**
 * Lists the tenant's campaigns of one mode with their figures of the last 30 days, filtered and sorted; campaigns that
 * are equal in what is sorted by are listed newest first. All figures come from one query of the report store; while it
 * is unavailable the list has none, and sorting by a figure has no effect.
 */
export const listCampaignFigures = operation({
  id: "listCampaignFigures",
  summary: "List campaigns with their figures",
  access: "ads:read",
  input: ListCampaignFigures,
  output: pageOf(CampaignWithFigures),
  example: {
    input: { sort: "spend", order: "desc" },
    output: examplePage({
      ...campaignExample,
      figures: { impressions: 800, clicks: 24, ctr: 0.03, spend_micros: 7_440_000 },
    }),
  },
  run: async (
    ctx: ActorCtx &
      Pick<CampaignCtx, "automaticReview" | "clickhouse" | "currency" | "reportTurns" | "retentionRawDays">,
    input,
  ) => {
    const mode = modeOf(ctx.actor, input.mode);
    const { advertiser_id, status, search, sort, order } = input;
    const scope = listScope(ctx, "campaign_figures", { mode, advertiser_id, status, search, sort, order });
    const figures = await figuresOf(ctx, mode);
    return fetchPage(scope, input, async ({ after, take }) => {
      const sorted = await sortedIds(ctx, { ...input, mode }, figures);
      // If the last campaign of the page before was archived meanwhile, the list starts again.
      const from = after === undefined ? 0 : sorted.indexOf(after) + 1;
      const campaigns = await campaignsOf(ctx, sorted.slice(from, from + take));
      return campaigns.map((campaign) => ({
        ...campaign,
        figures: figures ? (figures.get(campaign.id) ?? NO_EVENTS) : null,
      }));
    });
  },
});

type Figures = ReadonlyMap<string, CampaignFigures>;

/** By campaign id; a campaign without events is missing. */
async function figuresOf(
  ctx: ActorCtx & Pick<CampaignCtx, "clickhouse" | "currency" | "reportTurns" | "retentionRawDays">,
  mode: Mode,
): Promise<Figures | undefined> {
  const from = new Date(ctx.clock.now().getTime() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const report = await undefinedIfUnavailable(
    withTimeout(
      FIGURES_WAIT_MS,
      getReport.run(ctx, { from, mode, timezone: "UTC", group_by: ["campaign"], format: "json" }),
    ),
  );
  return report && new Map(report.rows.map((row) => [row.campaign ?? "", pickFigures(row)]));
}

const pickFigures = ({ impressions, clicks, ctr, spend_micros }: CampaignFigures): CampaignFigures => ({
  impressions,
  clicks,
  ctr,
  spend_micros,
});

interface SortedRow {
  id: string;
  name: string;
  bidMicros: bigint;
}

async function sortedIds(
  { db, actor }: Pick<CampaignCtx, "db" | "actor">,
  { mode, advertiser_id, status, search, sort, order }: Input & { mode: Mode },
  figures: Figures | undefined,
): Promise<string[]> {
  const rows = await db.campaign.findMany({
    where: {
      ...ownRows(actor),
      mode,
      ...(advertiser_id !== undefined && { advertiserId: advertiser_id }),
      ...(status && { status }),
    },
    select: { id: true, name: true, bidMicros: true },
    orderBy: { id: "desc" },
    take: CAMPAIGNS_MAX,
  });
  const compare = comparatorOf(sort, figures);
  const sign = order === "asc" ? 1 : -1;
  // In SQL, % and _ in the text would need escapes.
  const found = rows.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return found.sort((a, b) => sign * compare(a, b)).map((row) => row.id);
}

type Comparator = (a: SortedRow, b: SortedRow) => number;

function comparatorOf(sort: Input["sort"], figures: Figures | undefined): Comparator {
  if (sort === "created") return (a, b) => (a.id < b.id ? -1 : 1);
  if (sort === "name") return (a, b) => a.name.localeCompare(b.name, "en", { numeric: true });
  if (sort === "bid") return (a, b) => Number(a.bidMicros - b.bidMicros);
  const figure = sort === "spend" ? "spend_micros" : sort;
  const figureOf = ({ id }: SortedRow) => (figures?.get(id) ?? NO_EVENTS)[figure] ?? -1;
  return (a, b) => figureOf(a) - figureOf(b);
}

async function campaignsOf(
  ctx: ActorCtx & Pick<CampaignCtx, "automaticReview" | "currency">,
  ids: readonly string[],
): Promise<Campaign[]> {
  const rows = await ctx.db.campaign.findMany({ where: { id: { in: [...ids] }, ...ownRows(ctx.actor) } });
  const byId = new Map((await toCampaigns(ctx, rows)).map((campaign) => [campaign.id, campaign]));
  return ids.flatMap((one) => byId.get(one) ?? []);
}
