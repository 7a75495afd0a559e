import { ShoppingCart } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { Section } from "../../../components/ui/card";
import { Link } from "../../../components/ui/link";
import { formatMoney } from "../../../format/money";
import { useQueryOf } from "../../../trpc/use-operation";
import { Below, type Columns, timeColumn } from "../../components/data-table";
import { ANY, chosenIn, type Filter, namesOf } from "../../components/filters";
import { PagedList } from "../../components/paged-list";
import { pagesEvery } from "../../components/pages";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useMode } from "../../components/shell/mode";
import { useCampaignNames } from "../components/use-campaign-names";
import type { Conversion } from "./conversion";
import { ATTRIBUTION_NAMES, ATTRIBUTIONS, reasonText } from "./conversion-text";

const REFRESH_MS = 10_000;
const PAGE_ROWS = 25;
const CAMPAIGNS_MAX = 1000;

const COLUMNS: Columns<Conversion> = [
  { label: "Order", className: "max-w-48 break-all font-mono text-xs", cell: ({ order_id }) => order_id },
  {
    label: "Attribution",
    className: "min-w-48",
    cell: (order) => (
      <>
        <Badge tone={order.attribution === "none" ? "neutral" : "good"}>{ATTRIBUTION_NAMES[order.attribution]}</Badge>
        {order.source === "pixel" && (
          <Badge tone="warn" className="ml-1">
            unverified
          </Badge>
        )}
        <Below className="mt-1">{reasonText(order)}</Below>
      </>
    ),
  },
  { label: "Campaign", cell: ({ campaign_id }) => <CampaignName id={campaign_id} /> },
  {
    label: "Value",
    numeric: true,
    cell: ({ value_micros, currency, over_limit }) => (
      <>
        {formatMoney(value_micros, currency)}
        <Below>{over_limit && "above the pixel's limit"}</Below>
      </>
    ),
  },
  timeColumn("Ordered", ({ occurred_at }) => occurred_at),
];

/** Every order that was reported, newest first, and what each one counts for; the filters are in the address. */
export function Orders() {
  const { mode } = useMode();
  return (
    <Section id="orders" title="Orders" description={`All reported orders in ${mode} mode, newest first.`}>
      <PagedList
        noun="order"
        icon={ShoppingCart}
        about={<FirstOrder mode={mode} />}
        scopes="ads"
        caption="Reported orders"
        useFilters={useOrderFilters}
        pages={({ trpc, mode: shown, filter, params }) =>
          trpc.listConversions.infiniteQueryOptions(
            {
              mode: shown,
              limit: PAGE_ROWS,
              attribution: chosenIn(params, "attribution", ATTRIBUTIONS),
              campaign_id: filter("campaign"),
            },
            pagesEvery(REFRESH_MS),
          )
        }
        columns={COLUMNS}
      />
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

function useOrderFilters(): Filter[] {
  const { mode } = useMode();
  const campaigns = useQueryOf("listCampaigns", { mode, limit: CAMPAIGNS_MAX }).data?.data ?? [];
  return [
    {
      name: "attribution",
      label: "Attribution",
      all: "All orders",
      choices: ATTRIBUTIONS.map((value) => ({ value, label: ATTRIBUTION_NAMES[value] })),
    },
    { name: "campaign", label: "Campaign", all: "All campaigns", choices: namesOf(campaigns), others: ANY },
  ];
}

function CampaignName({ id }: { id: string | null }) {
  const { mode } = useMode();
  const nameOf = useCampaignNames(mode);
  if (id === null) return <span className="text-muted-foreground">none</span>;
  return (
    <Link href={`/offers/campaigns/${id}`} className={ROW_LINK_STYLE}>
      {nameOf(id)}
    </Link>
  );
}
