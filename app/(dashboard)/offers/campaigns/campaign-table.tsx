"use client";

import { Thumbnail } from "../../../components/thumbnail";
import { Link } from "../../../components/ui/link";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatMoney } from "../../../format/money";
import { formatCount, formatRate } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useUrlParams } from "../../components/use-url-params";
import { useAdvertisers } from "../components/use-advertisers";
import { CampaignMenu } from "./campaign-menu";
import { CampaignStatus } from "./campaign-status";
import { nextOrder, readOrder, type Sort } from "./list-order";

type ListedCampaign = Outputs["listCampaignFigures"]["data"][number];

const COLUMNS: { label: string; numeric?: boolean; sort?: Sort }[] = [
  { label: "Name", sort: "name" },
  { label: "Status" },
  { label: "Bid", numeric: true, sort: "bid" },
  { label: "Budget", numeric: true },
  { label: "Impressions", numeric: true, sort: "impressions" },
  { label: "Clicks", numeric: true, sort: "clicks" },
  { label: "CTR", numeric: true, sort: "ctr" },
  { label: "Spend", numeric: true, sort: "spend" },
  { label: "" },
];
const ORDERS = { asc: "ascending", desc: "descending" } as const;

/** Campaigns with their figures; the order is in the address. */
export function CampaignTable({ campaigns }: { campaigns: ListedCampaign[] }) {
  const { params, change } = useUrlParams();
  const current = readOrder(params);
  const columns = COLUMNS.map(({ sort, ...column }) => ({
    ...column,
    ...(sort && {
      sort: {
        order: current.sort === sort ? ORDERS[current.order] : ("none" as const),
        onSort: () => change(nextOrder(current, sort)),
      },
    }),
  }));
  const hasFigures = campaigns.every(({ figures }) => figures !== null);
  return (
    <div className="space-y-2">
      <Table caption="Campaigns" columns={columns}>
        {campaigns.map((campaign) => (
          <CampaignRow key={campaign.id} campaign={campaign} />
        ))}
      </Table>
      <p role="status" className="text-muted-foreground text-xs">
        {hasFigures
          ? "Impressions, clicks, CTR and spend of the last 30 days."
          : "The figures of the last 30 days are not available at the moment."}
      </p>
    </div>
  );
}

function CampaignRow({ campaign }: { campaign: ListedCampaign }) {
  const { nameOf, iconOf } = useAdvertisers();
  const { id, name, advertiser_id, bid_micros, model, currency, figures } = campaign;
  return (
    <Row>
      <RowHeading>
        <span className="flex items-center gap-3">
          <Thumbnail {...iconOf(advertiser_id)} />
          <span>
            <Link href={`/offers/campaigns/${id}`} className={ROW_LINK_STYLE}>
              {name}
            </Link>
            <span className="block font-normal text-muted-foreground text-xs">{nameOf(advertiser_id)}</span>
          </span>
        </span>
      </RowHeading>
      <Cell>
        <CampaignStatus campaign={campaign} />
      </Cell>
      <Cell numeric className="whitespace-nowrap">
        {formatMoney(bid_micros, currency)} <span className="text-muted-foreground text-xs uppercase">{model}</span>
      </Cell>
      <Cell numeric className="whitespace-nowrap">
        <Budget campaign={campaign} />
      </Cell>
      <Cell numeric>{figures ? formatCount(figures.impressions) : "–"}</Cell>
      <Cell numeric>{figures ? formatCount(figures.clicks) : "–"}</Cell>
      <Cell numeric>{formatRate(figures?.ctr ?? null)}</Cell>
      <Cell numeric className="whitespace-nowrap">
        {figures ? formatMoney(figures.spend_micros, currency) : "–"}
      </Cell>
      <ActionsCell>
        <CampaignMenu campaign={campaign} />
      </ActionsCell>
    </Row>
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
