import { useState } from "react";
import { PageTabs } from "../../../components/page-tabs";
import { useAdvertisers } from "../../components/use-advertisers";
import type { Campaign } from "../campaign";
import { CampaignOverview } from "./campaign-overview";
import { CampaignSettings } from "./campaign-settings";
import { Creatives } from "./creatives";
import { Products } from "./products";

interface CampaignTabsProps {
  campaign: Campaign;
  publicUrl: string;
}

/** The parts of a campaign's page. */
export function CampaignTabs({ campaign, publicUrl }: CampaignTabsProps) {
  const { find, iconOf } = useAdvertisers();
  const [isUnsaved, setUnsaved] = useState(false);
  const tabs = [
    { value: "overview", label: "Overview", content: <CampaignOverview campaign={campaign} /> },
    {
      value: "creatives",
      label: "Creatives",
      content: <Creatives campaign={campaign} advertiser={find(campaign.advertiser_id)} />,
      keeps: true,
    },
    {
      value: "products",
      label: "Products",
      content: (
        <Products campaignId={campaign.id} advertiserName={iconOf(campaign.advertiser_id).name} publicUrl={publicUrl} />
      ),
      keeps: true,
    },
    {
      value: "settings",
      label: "Settings",
      content: <CampaignSettings campaign={campaign} onChanged={setUnsaved} />,
      keeps: true,
      isUnsaved,
    },
  ];
  return <PageTabs label="Parts of the campaign" tabs={tabs} />;
}
