import Link from "next/link";
import type { ReactNode } from "react";
import { Badge } from "../../components/ui/badge";
import { ROW_LINK } from "../../components/ui/row-link";
import type { Explained } from "./explained";

/** The title, and the campaign that it belongs to; offers of others have no campaign here. */
export function OfferName({ fate: { title, campaign_id, campaign_name, product_id, owner } }: { fate: Explained }) {
  if (owner === "network") return <Named title={title ?? "An offer"} below={<Badge>Another advertiser</Badge>} />;
  const at = `/campaigns/${campaign_id}`;
  const ofCampaign = (
    <span className="block break-words font-normal text-muted-foreground text-xs leading-5">
      {product_id ? "Product" : "Creative"} of{" "}
      <Link href={at} className="underline underline-offset-4 hover:text-foreground">
        {campaign_name}
      </Link>
    </span>
  );
  if (title !== null) return <Named title={title} below={ofCampaign} />;
  return (
    <Link href={at} className={`${ROW_LINK} break-words`}>
      {campaign_name}
    </Link>
  );
}

const Named = ({ title, below }: { title: string; below: ReactNode }) => (
  <span className="block space-y-1">
    <span className="block break-words font-medium leading-5">{title}</span>
    {below}
  </span>
);
