import { Thumbnail } from "../../../components/thumbnail";
import { Link } from "../../../components/ui/link";
import { formatMoney } from "../../../format/money";
import { formatCount, formatRate } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";
import { Below, type Columns, DataTable } from "../../components/data-table";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useUrlParams } from "../../components/use-url-params";
import { useAdvertisers } from "../components/use-advertisers";
import { CampaignMenu } from "./campaign-menu";
import { CampaignStatus } from "./campaign-status";
import { nextOrder, readOrder } from "./list-order";

type ListedCampaign = Outputs["listCampaignFigures"]["data"][number];

const COLUMNS: Columns<ListedCampaign> = [
  { label: "Name", sortBy: "name", cell: (campaign) => <Name campaign={campaign} /> },
  { label: "Status", cell: (campaign) => <CampaignStatus campaign={campaign} /> },
  {
    label: "Bid",
    numeric: true,
    sortBy: "bid",
    cell: ({ bid_micros, model, currency }) => (
      <>
        {formatMoney(bid_micros, currency)} <span className="text-muted-foreground text-xs uppercase">{model}</span>
      </>
    ),
  },
  { label: "Budget", numeric: true, cell: (campaign) => <Budget campaign={campaign} /> },
  {
    label: "Impressions",
    numeric: true,
    sortBy: "impressions",
    cell: ({ figures }) => (figures ? formatCount(figures.impressions) : "–"),
  },
  {
    label: "Clicks",
    numeric: true,
    sortBy: "clicks",
    cell: ({ figures }) => (figures ? formatCount(figures.clicks) : "–"),
  },
  { label: "CTR", numeric: true, sortBy: "ctr", cell: ({ figures }) => formatRate(figures?.ctr ?? null) },
  {
    label: "Spend",
    numeric: true,
    sortBy: "spend",
    cell: ({ figures, currency }) => (figures ? formatMoney(figures.spend_micros, currency) : "–"),
  },
];

/** Campaigns with their figures; the order is in the address. */
export function CampaignTable({ campaigns }: { campaigns: ListedCampaign[] }) {
  const { params, change } = useUrlParams();
  const current = readOrder(params);
  const hasFigures = campaigns.every(({ figures }) => figures !== null);
  return (
    <div className="space-y-2">
      <DataTable
        caption="Campaigns"
        rows={campaigns}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        sorting={{ ...current, onSort: (sort) => change(nextOrder(current, sort)) }}
        menu={(campaign) => <CampaignMenu campaign={campaign} />}
      />
      <p role="status" className="text-muted-foreground text-xs">
        {hasFigures
          ? "Impressions, clicks, CTR and spend of the last 30 days."
          : "The figures of the last 30 days are not available at the moment."}
      </p>
    </div>
  );
}

function Name({ campaign: { id, name, advertiser_id } }: { campaign: ListedCampaign }) {
  const { nameOf, iconOf } = useAdvertisers();
  return (
    <span className="flex items-center gap-3">
      <Thumbnail {...iconOf(advertiser_id)} />
      <span>
        <Link href={`/offers/campaigns/${id}`} className={ROW_LINK_STYLE}>
          {name}
        </Link>
        <Below>{nameOf(advertiser_id)}</Below>
      </span>
    </span>
  );
}

function Budget({ campaign }: { campaign: ListedCampaign }) {
  const { daily_budget_micros: daily, total_budget_micros: total, currency } = campaign;
  if (daily === null && total === null) return "no limit";
  return (
    <>
      {daily !== null && <span className="block">{formatMoney(daily, currency)} a day</span>}
      {total !== null && (
        <span className={daily === null ? "block" : "block text-muted-foreground text-xs"}>
          {formatMoney(total, currency)} in total
        </span>
      )}
    </>
  );
}
