import { Alert } from "../../../../components/ui/alert";
import { Link } from "../../../../components/ui/link";
import type { Campaign } from "../campaign";
import { Budget } from "./budget";
import { CampaignFigures } from "./campaign-figures";
import { NetworkNotice } from "./network-notice";

/** What is missing to serve, what came of the campaign, and what it spends. */
export const CampaignOverview = ({ campaign }: { campaign: Campaign }) => (
  <div className="space-y-6">
    {campaign.items === 0 && <NoItemsNotice id={campaign.id} />}
    <NetworkNotice campaign={campaign} />
    <CampaignFigures campaign={campaign} />
    <Budget campaign={campaign} />
  </div>
);

const NoItemsNotice = ({ id }: Pick<Campaign, "id">) => (
  <Alert tone="warn">
    This campaign has nothing to serve.{" "}
    <Link href={`/offers/campaigns/${id}?tab=creatives`} className={LINK}>
      Add a creative
    </Link>{" "}
    or{" "}
    <Link href={`/offers/campaigns/${id}?tab=products`} className={LINK}>
      upload a product feed
    </Link>
    .
  </Alert>
);

const LINK = "font-medium underline underline-offset-4";
