"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ShoppingCart } from "lucide-react";
import Link from "next/link";
import { SelectField } from "../../components/form/fields";
import { LoadedPages, nextCursorOf } from "../../components/loaded-pages";
import { useMode } from "../../components/shell/mode";
import { Badge } from "../../components/ui/badge";
import { Section } from "../../components/ui/card";
import { Empty } from "../../components/ui/empty";
import { ROW_LINK } from "../../components/ui/row-link";
import { Cell, Row, RowHeading, Table } from "../../components/ui/table";
import { useAddress } from "../../components/use-address";
import { formatMoment } from "../../format/dates";
import { formatMoney } from "../../format/money";
import { useTRPC } from "../../trpc/client";
import { useCampaignNames } from "../campaigns/use-campaign-names";
import type { Conversion } from "./conversion";
import { ATTRIBUTION_NAMES, ATTRIBUTIONS, reasonOf } from "./conversion-words";

const REFRESH_MS = 10_000;
const PAGE_ROWS = 25;
const CAMPAIGNS_MAX = 1000;

/** Every order that was reported, newest first, and what each one counts for; the filters live in the address. */
export function Orders() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params } = useAddress();
  const attribution = ATTRIBUTIONS.find((one) => one === params.get("attribution"));
  const campaign = params.get("campaign");
  const isFiltered = Boolean(attribution || campaign);
  const query = useInfiniteQuery(
    trpc.conversions.list.infiniteQueryOptions(
      { mode, limit: PAGE_ROWS, ...(attribution && { attribution }), ...(campaign && { campaign_id: campaign }) },
      { getNextPageParam: nextCursorOf, refetchInterval: REFRESH_MS },
    ),
  );
  return (
    <Section
      id="orders"
      title="Orders"
      description={`What was reported in ${mode} mode, by every advertiser, the newest first.`}
    >
      <div className="space-y-4">
        <OrderFilters />
        <LoadedPages
          query={query}
          empty={
            <Empty icon={ShoppingCart} title={isFiltered ? "No order matches" : `No orders in ${mode} mode yet`}>
              {isFiltered
                ? "Choose another attribution or campaign."
                : "Put the scripts on the shop's pages, or send a test order above: it appears here within seconds."}
            </Empty>
          }
        >
          {(orders) => <OrderTable orders={orders} />}
        </LoadedPages>
      </div>
    </Section>
  );
}

function OrderFilters() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params, change } = useAddress();
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ mode, limit: CAMPAIGNS_MAX }));
  return (
    <div className="grid gap-3 sm:max-w-lg sm:grid-cols-2">
      <SelectField
        name="attribution"
        label="Attribution"
        value={params.get("attribution") ?? ""}
        onChange={(event) => change({ attribution: event.target.value })}
      >
        <option value="">Every order</option>
        {ATTRIBUTIONS.map((one) => (
          <option key={one} value={one}>
            {ATTRIBUTION_NAMES[one]}
          </option>
        ))}
      </SelectField>
      <SelectField
        name="campaign"
        label="Campaign"
        value={params.get("campaign") ?? ""}
        onChange={(event) => change({ campaign: event.target.value })}
      >
        <option value="">Every campaign</option>
        {campaigns.data?.data.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

const COLUMNS = [
  { label: "Order" },
  { label: "Attribution" },
  { label: "Campaign" },
  { label: "Value", numeric: true },
  { label: "Ordered" },
];

function OrderTable({ orders }: { orders: Conversion[] }) {
  const { mode } = useMode();
  const nameOf = useCampaignNames(mode);
  return (
    <Table caption="Reported orders" columns={COLUMNS}>
      {orders.map((order) => (
        <Row key={order.id}>
          <RowHeading className="max-w-48 break-all font-mono text-xs">{order.order_id}</RowHeading>
          <Cell className="min-w-48">
            <Badge tone={order.attribution === "none" ? "neutral" : "good"}>
              {ATTRIBUTION_NAMES[order.attribution]}
            </Badge>
            <span className="mt-1 block text-muted-foreground text-xs">{reasonOf(order)}</span>
          </Cell>
          <Cell>
            {order.campaign_id ? (
              <Link href={`/campaigns/${order.campaign_id}`} className={ROW_LINK}>
                {nameOf(order.campaign_id)}
              </Link>
            ) : (
              <span className="text-muted-foreground">none</span>
            )}
          </Cell>
          <Cell numeric>{formatMoney(order.value_micros, order.currency)}</Cell>
          <Cell className="whitespace-nowrap text-muted-foreground">{formatMoment(order.occurred_at)}</Cell>
        </Row>
      ))}
    </Table>
  );
}
