import type { ReactNode } from "react";
import { Thumbnail } from "../../../components/thumbnail";
import { Badge } from "../../../components/ui/badge";
import { Link } from "../../../components/ui/link";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import type { ExplainedOffer } from "./explained-offer";

/** The picture, the title, and the campaign that it belongs to; offers of others have no campaign here. */
export const OfferName = ({ fate }: { fate: ExplainedOffer }) => (
  <span className="flex items-start gap-3">
    <Thumbnail src={fate.image_link} name={fate.brand_name ?? ""} className="size-10" />
    <span className="min-w-0">
      <Name fate={fate} />
    </span>
  </span>
);

function Name({ fate: { title, campaign_id, campaign_name, product_id, owner } }: { fate: ExplainedOffer }) {
  if (owner !== "own") {
    const label = owner === "house" ? "House offer, earns nothing" : "Another advertiser";
    return <NameCell title={title ?? "An offer"} below={<Badge>{label}</Badge>} />;
  }
  const at = `/offers/campaigns/${campaign_id}`;
  const campaignLine = (
    <span className="block break-words font-normal text-muted-foreground text-xs leading-5">
      {product_id ? "Product" : "Creative"} of{" "}
      <Link href={at} className="underline underline-offset-4 hover:text-foreground">
        {campaign_name}
      </Link>
    </span>
  );
  if (title !== null) return <NameCell title={title} below={campaignLine} />;
  return (
    <Link href={at} className={`${ROW_LINK_STYLE} break-words`}>
      {campaign_name}
    </Link>
  );
}

const NameCell = ({ title, below }: { title: string; below: ReactNode }) => (
  <span className="block space-y-1">
    <span className="block break-words font-medium leading-5">{title}</span>
    {below}
  </span>
);
