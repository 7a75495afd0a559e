"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ShoppingCart } from "lucide-react";
import { SelectField } from "../../../components/form/fields";
import { Badge } from "../../../components/ui/badge";
import { Section } from "../../../components/ui/card";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { useTRPC } from "../../../trpc/client";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { useCampaignNames } from "../components/use-campaign-names";
import type { Conversion } from "./conversion";
import { ATTRIBUTION_NAMES, ATTRIBUTIONS, reasonText } from "./conversion-text";

const REFRESH_MS = 10_000;
const PAGE_ROWS = 25;
const CAMPAIGNS_MAX = 1000;

/** Every order that was reported, newest first, and what each one counts for; the filters are in the URL. */
export function Orders() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params } = useUrlParams();
  const attribution = ATTRIBUTIONS.find((one) => one === params.get("attribution"));
  const campaign = params.get("campaign");
  const isFiltered = Boolean(attribution || campaign);
  const query = useInfiniteQuery(
    trpc.listConversions.infiniteQueryOptions(
      { mode, limit: PAGE_ROWS, ...(attribution && { attribution }), ...(campaign && { campaign_id: campaign }) },
      { getNextPageParam: nextCursor, refetchInterval: REFRESH_MS },
    ),
  );
  return (
    <Section id="orders" title="Orders" description={`All reported orders in ${mode} mode, newest first.`}>
      <div className="space-y-4">
        <OrderFilters />
        <PagedContent
          query={query}
          empty={
            <EmptyState icon={ShoppingCart} title={isFiltered ? "No order matches" : `No orders in ${mode} mode yet`}>
              {isFiltered ? "Choose another attribution or campaign." : <FirstOrder mode={mode} />}
            </EmptyState>
          }
        >
          {(orders) => <OrderTable orders={orders} />}
        </PagedContent>
      </div>
    </Section>
  );
}

/** Test orders are listed in test mode, whatever mode the page is in when one is sent. */
const FirstOrder = ({ mode }: { mode: "test" | "live" }) =>
  mode === "test" ? (
    "Put the scripts on the shop's pages, or send a test order: it appears here within seconds."
  ) : (
    <>
      Put the scripts on the shop&rsquo;s pages, or report orders from its server: they appear here within seconds. Test
      orders are not listed here:{" "}
      <Link href="/offers/conversions?mode=test#orders" className="underline underline-offset-4">
        view them in test mode
      </Link>
      .
    </>
  );

function OrderFilters() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const campaigns = useQuery(trpc.listCampaigns.queryOptions({ mode, limit: CAMPAIGNS_MAX }));
  return (
    <div className="grid gap-3 sm:max-w-lg sm:grid-cols-2">
      <SelectField
        name="attribution"
        label="Attribution"
        value={params.get("attribution") ?? ""}
        onChange={(event) => change({ attribution: event.target.value })}
      >
        <option value="">All orders</option>
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
        <option value="">All campaigns</option>
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
            {order.source === "pixel" && (
              <Badge tone="warn" className="ml-1">
                unverified
              </Badge>
            )}
            <span className="mt-1 block text-muted-foreground text-xs">{reasonText(order)}</span>
          </Cell>
          <Cell>
            {order.campaign_id ? (
              <Link href={`/offers/campaigns/${order.campaign_id}`} className={ROW_LINK_STYLE}>
                {nameOf(order.campaign_id)}
              </Link>
            ) : (
              <span className="text-muted-foreground">none</span>
            )}
          </Cell>
          <Cell numeric>
            {formatMoney(order.value_micros, order.currency)}
            {order.over_limit && <span className="block text-muted-foreground text-xs">above the pixel's limit</span>}
          </Cell>
          <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(order.occurred_at)}</Cell>
        </Row>
      ))}
    </Table>
  );
}
