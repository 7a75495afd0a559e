"use client";

import { Building2, Plus } from "lucide-react";
import { useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { Button } from "../../../../components/ui/button";
import { EmptyState } from "../../../../components/ui/empty-state";
import { PageHeader } from "../../../components/page-header";
import { useMode } from "../../../components/shell/mode";
import { AdvertiserDialog } from "../../advertisers/advertiser-dialog";
import { useAdvertisers } from "../../components/use-advertisers";
import { CampaignSteps } from "./campaign-steps";

export function NewCampaign() {
  const { query } = useAdvertisers();
  const { mode } = useMode();
  return (
    <>
      <PageHeader
        back={{ href: "/offers/campaigns", label: "Campaigns" }}
        title="New campaign"
        description={`In ${mode} mode. Advertiser, mode and price model cannot be changed later.`}
      />
      <QueryContent query={query}>
        {({ data }) => (data.length > 0 ? <CampaignSteps advertisers={data} /> : <NoAdvertiser />)}
      </QueryContent>
    </>
  );
}

/** The first campaign of a mode begins with its advertiser, which is created here. */
function NoAdvertiser() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <EmptyState
        icon={Building2}
        title="Create an advertiser first"
        action={
          <Button onClick={() => setOpen(true)} icon={Plus}>
            Create advertiser
          </Button>
        }
      >
        A campaign belongs to an advertiser, whose name and icon appear on its offers.
      </EmptyState>
      <AdvertiserDialog advertiser={open ? "new" : undefined} onClose={() => setOpen(false)} />
    </>
  );
}
