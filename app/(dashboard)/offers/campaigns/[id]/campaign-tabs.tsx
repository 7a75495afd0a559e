"use client";

import { useState } from "react";
import { Tabs } from "../../../components/tabs";
import { useUrlParams } from "../../../components/use-url-params";
import { useAdvertisers } from "../../components/use-advertisers";
import type { Campaign } from "../campaign";
import { CampaignOverview } from "./campaign-overview";
import { CampaignSettings } from "./campaign-settings";
import { Creatives } from "./creatives";
import { Products } from "./products";

const OVERVIEW = "overview";

interface CampaignTabsProps {
  campaign: Campaign;
  publicUrl: string;
}

/** The parts of a campaign's page; `?tab=` names the open one, and each change is a step in the browser's history. */
export function CampaignTabs({ campaign, publicUrl }: CampaignTabsProps) {
  const { params, change } = useUrlParams();
  const { find, iconOf } = useAdvertisers();
  const [isUnsaved, setUnsaved] = useState(false);
  const tabs = [
    { value: OVERVIEW, label: "Overview", content: <CampaignOverview campaign={campaign} /> },
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
  const asked = params.get("tab");
  return (
    <Tabs
      label="Parts of the campaign"
      value={tabs.find(({ value }) => value === asked)?.value ?? OVERVIEW}
      onChange={(value) => change({ tab: value === OVERVIEW ? "" : value }, "push")}
      tabs={tabs}
    />
  );
}
