import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { formatPrice } from "../../../../format/money";
import type { Creative } from "./creative";
import type { PreviewedAdvertiser } from "./previewed-offer";

interface CreativeCardProps {
  creative: Creative;
  advertiser: PreviewedAdvertiser;
  /** What can be done with it. */
  menu: ReactNode;
}

/** A creative's texts and links; its content is rendered as text, never as HTML. */
export const CreativeCard = ({
  creative: { title, content, cta, landing_url, brand, price },
  advertiser,
  menu,
}: CreativeCardProps) => (
  <article className="flex min-h-44 flex-1 flex-col gap-2 rounded-lg border bg-background p-4">
    <div className="-mt-1.5 -mr-2 flex items-center justify-between gap-2">
      <p className="truncate text-muted-foreground text-xs">{brand?.name ?? advertiser.name}</p>
      {menu}
    </div>
    <h3 className="line-clamp-2 break-words font-semibold text-sm">{title}</h3>
    <p className="line-clamp-3 break-words text-muted-foreground text-sm">{content}</p>
    <div className="mt-auto space-y-2 pt-1">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
        <span className="min-w-0 truncate rounded-md border px-2 py-0.5 font-medium">{cta}</span>
        {price && <span className="tabular-nums">{formatPrice(price.amount, price.currency)}</span>}
      </p>
      <p className="flex items-center gap-1.5 text-muted-foreground text-xs" title={landing_url}>
        <ExternalLink aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">{landing_url.replace(/^https?:\/\//, "")}</span>
      </p>
    </div>
  </article>
);
