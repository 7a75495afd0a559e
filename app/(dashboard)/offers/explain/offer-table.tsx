import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { Cell, RowHeading } from "../../../components/ui/table";
import { countText } from "../../../format/count-text";
import { formatCount } from "../../../format/numbers";
import { Bars } from "./bars";
import { type ExplainedOffer, offerKey } from "./explained-offer";
import { OfferName } from "./offer-name";
import { boughtBy, money, type Scales, scoreBars } from "./score-bars";

interface OfferTableProps {
  /** Names the table for screen readers. */
  caption: string;
  offers: readonly ExplainedOffer[];
  scales: Scales;
  /** Whether the offers have a rank and a price. */
  isRanked?: boolean;
  /** The number of rows shown initially; default: all. */
  shown?: number;
}

/** Offers with the parts of their scores; below 768 px the parts are below the offer instead of beside it. */
export function OfferTable({ shown = Number.POSITIVE_INFINITY, offers: fates, ...table }: OfferTableProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <OfferRows {...table} offers={isWhole ? fates : fates.slice(0, shown)} />
      {fates.length > shown && (
        <Button variant="outline" size="sm" className="mt-2" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the first ${shown}` : `Show all ${formatCount(fates.length)}`}
        </Button>
      )}
    </>
  );
}

const OfferRows = ({ caption, offers: fates, scales, isRanked: placed = false }: Omit<OfferTableProps, "shown">) => (
  <table className="w-full border-collapse text-sm max-md:block">
    <caption className="sr-only">{caption}</caption>
    <thead className="border-b text-left text-muted-foreground text-xs max-md:sr-only">
      <tr>
        {placed && <ColumnHeading className="w-16">Place</ColumnHeading>}
        <ColumnHeading>Offer</ColumnHeading>
        <ColumnHeading className="w-[24rem]">Score</ColumnHeading>
        {placed && <ColumnHeading className="w-36 text-right">Price</ColumnHeading>}
      </tr>
    </thead>
    <tbody className="divide-y max-md:block">
      {fates.map((fate) => (
        <tr
          key={offerKey(fate)}
          className="max-md:grid max-md:grid-cols-[auto_minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-3 max-md:py-4"
        >
          {placed && (
            <Cell className="align-top max-md:p-0">
              <RankBadge rank={fate.rank} outcome={fate.outcome} />
            </Cell>
          )}
          <RowHeading className={placed ? OFFER_CELL : `${OFFER_CELL} max-md:col-span-3`}>
            <OfferName fate={fate} />
          </RowHeading>
          <Cell className="align-top max-md:order-last max-md:col-span-3 max-md:p-0">
            <Bars bars={scoreBars(fate, scales)} className={ALIGNED} />
            <ClickRateNote fate={fate} />
          </Cell>
          {placed && (
            <Cell numeric className="align-top max-md:p-0">
              <Price fate={fate} scales={scales} />
            </Cell>
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

/** Bars of different offers begin and end at the same places, so that lengths compare. */
const ALIGNED = "grid-cols-[5rem_minmax(2.5rem,1fr)_4.75rem]";
const OFFER_CELL = "align-top max-md:min-w-0 max-md:p-0";

const ColumnHeading = ({ className = "", children }: { className?: string; children: string }) => (
  <th scope="col" className={`h-9 px-3 font-medium sm:px-4 ${className}`}>
    {children}
  </th>
);

const RankBadge = ({ rank, outcome }: Pick<ExplainedOffer, "rank" | "outcome">) => (
  <span
    className={`grid size-7 place-items-center rounded-full font-semibold text-sm tabular-nums ${
      outcome === "offered" ? "bg-primary text-primary-foreground" : "bg-muted text-muted-foreground"
    }`}
  >
    {rank}
  </span>
);

/** The data behind the click rate. */
function ClickRateNote({ fate: { value } }: { fate: ExplainedOffer }) {
  if (!value || value.model === "cpm") return null;
  const { clicks, impressions } = value;
  return (
    <p className="mt-1.5 text-muted-foreground text-xs">
      {impressions === 0
        ? "No views in 30 days: its click rate is assumed."
        : `Click rate from ${countText(clicks, "click")} in ${countText(impressions, "view")}.`}
    </p>
  );
}

function Price({ fate: { price_micros, value }, scales }: { fate: ExplainedOffer; scales: Scales }) {
  if (price_micros === null || !value) return <span className="text-muted-foreground">not shown</span>;
  return (
    <>
      <span className="block font-semibold text-base leading-7">{money(price_micros, scales)}</span>
      <span className="block whitespace-nowrap text-muted-foreground text-xs">{boughtBy(value.model)}</span>
    </>
  );
}
