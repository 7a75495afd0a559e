import { Star } from "lucide-react";
import type { PreviewedCreative } from "./creative";

interface OfferPreviewProps {
  creative: PreviewedCreative;
  advertiser: string;
}

/** About how the widget's card shows an offer; everything is text, nothing is a link. */
export const OfferPreview = ({
  creative: { title, content, cta, brand, price, rating },
  advertiser,
}: OfferPreviewProps) => (
  <article
    aria-label={`Preview of ${title || "the creative"}`}
    className="flex-1 space-y-2 rounded-lg border bg-background p-4"
  >
    <div className="flex items-center justify-between gap-2 text-muted-foreground text-xs">
      <span className="flex min-w-0 items-center gap-2">
        {brand?.icon_url && (
          // biome-ignore lint/performance/noImgElement: an advertiser's own icon, which svc does not re-encode.
          <img src={brand.icon_url} alt="" className="size-5 rounded" referrerPolicy="no-referrer" />
        )}
        <span className="truncate">{brand?.name || advertiser}</span>
      </span>
      <span className="rounded border px-1.5 py-0.5">Sponsored</span>
    </div>
    <p className="break-words font-semibold">{title || "Title"}</p>
    <p className="line-clamp-4 break-words text-muted-foreground text-sm">{content || "What the offer is about."}</p>
    {rating && (
      <p className="flex items-center gap-1 text-sm">
        <Star aria-hidden className="size-3.5 fill-chart-3 text-chart-3" />
        {rating.value} of {rating.scale}
        {rating.count !== undefined && <span className="text-muted-foreground"> ({rating.count})</span>}
      </p>
    )}
    <div className="flex flex-wrap items-center justify-between gap-2 pt-1">
      <span className="text-sm">
        {price && (
          <>
            <strong>{amountText(price.amount, price.currency)}</strong>{" "}
            {price.original_price !== undefined && (
              <s className="text-muted-foreground">{amountText(price.original_price, price.currency)}</s>
            )}
          </>
        )}
      </span>
      <span className="rounded-md bg-primary px-3 py-1.5 font-medium text-primary-foreground text-sm">
        {cta || "Call to action"}
      </span>
    </div>
  </article>
);

function amountText(amount: number, currency: string): string {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).format(amount);
  } catch {
    return `${amount} ${currency}`;
  }
}
