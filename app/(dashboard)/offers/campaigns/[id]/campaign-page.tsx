"use client";

import { QueryContent } from "../../../../components/query-content";
import { Thumbnail } from "../../../../components/thumbnail";
import { Badge } from "../../../../components/ui/badge";
import { useQueryOf } from "../../../../trpc/use-operation";
import { PageHeader } from "../../../components/page-header";
import { useFollowMode } from "../../../components/shell/mode";
import { useAdvertisers } from "../../components/use-advertisers";
import { CampaignStatus, StatusButton } from "../campaign-status";
import { CampaignTabs } from "./campaign-tabs";
import { CopyCampaign } from "./copy-campaign";

interface CampaignPageProps {
  id: string;
  publicUrl: string;
}

export function CampaignPage({ id, publicUrl }: CampaignPageProps) {
  const query = useQueryOf("getCampaign", { id });
  const { nameOf, iconOf } = useAdvertisers();
  const { data: campaign } = query;
  useFollowMode(campaign);
  return (
    <>
      <PageHeader
        back={{ href: "/offers/campaigns", label: "Campaigns" }}
        mark={<Thumbnail {...iconOf(campaign?.advertiser_id ?? "")} className="size-12 rounded-lg text-lg" />}
        title={campaign?.name ?? "Campaign"}
        description={campaign && `${nameOf(campaign.advertiser_id)}, ${campaign.model.toUpperCase()}`}
        actions={
          campaign && (
            <>
              <Badge tone={campaign.mode === "live" ? "good" : "warn"}>{campaign.mode}</Badge>
              <CampaignStatus campaign={campaign} />
              <StatusButton campaign={campaign} />
              {campaign.mode === "test" && (
                <CopyCampaign campaign={campaign} advertiserName={nameOf(campaign.advertiser_id)} />
              )}
            </>
          )
        }
      />
      <QueryContent query={query}>
        {(shown) => <CampaignTabs key={shown.id} campaign={shown} publicUrl={publicUrl} />}
      </QueryContent>
    </>
  );
}
