"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Form } from "../../../../components/form/form";
import { QueryContent } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Confirm } from "../../../../components/ui/confirm";
import { useTRPC } from "../../../../trpc/client";
import { PageHeader } from "../../../components/page-header";
import { useFollowMode } from "../../../components/shell/mode";
import { useAdvertisers } from "../../components/use-advertisers";
import type { Campaign } from "../campaign";
import { CampaignFields } from "../campaign-fields";
import { CampaignStatus, StatusButtons } from "../campaign-status";
import { ConfirmBid } from "../confirm-bid";
import { campaignField, readCampaign } from "../read-campaign";
import { Budget } from "./budget";
import { Creatives } from "./creatives";
import { NetworkNotice } from "./network-notice";
import { Products } from "./products";

interface CampaignPageProps {
  id: string;
  publicUrl: string;
}

export function CampaignPage({ id, publicUrl }: CampaignPageProps) {
  const trpc = useTRPC();
  const query = useQuery(trpc.campaigns.get.queryOptions({ id }));
  const { nameOf, find } = useAdvertisers();
  const { data: campaign } = query;
  useFollowMode(campaign);
  return (
    <>
      <PageHeader
        back={{ href: "/offers/campaigns", label: "Campaigns" }}
        title={campaign?.name ?? "Campaign"}
        description={campaign && `${nameOf(campaign.advertiser_id)}, ${campaign.model}`}
        actions={
          campaign && (
            <>
              <Badge tone={campaign.mode === "live" ? "good" : "warn"}>{campaign.mode}</Badge>
              <CampaignStatus status={campaign.status} />
              <StatusButtons campaign={campaign} />
            </>
          )
        }
      />
      <QueryContent query={query}>
        {(campaign) => (
          <div className="space-y-6">
            <SectionLinks />
            <NetworkNotice campaign={campaign} />
            <Budget campaign={campaign} />
            <Creatives campaign={campaign} advertiser={find(campaign.advertiser_id)} />
            <Products campaignId={campaign.id} publicUrl={publicUrl} />
            <div id="settings" className="scroll-mt-20 md:scroll-mt-6">
              <EditCampaign key={campaign.id} campaign={campaign} />
            </div>
            <EndCampaign campaign={campaign} />
          </div>
        )}
      </QueryContent>
    </>
  );
}

const SECTIONS = [
  { at: "budget", label: "Budget" },
  { at: "creatives", label: "Creatives" },
  { at: "products", label: "Product feed" },
  { at: "settings", label: "Settings" },
  { at: "end", label: "End or archive" },
];

/** Links to the sections of this long page. */
const SectionLinks = () => (
  <nav aria-label="On this page" className="-mt-2">
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {SECTIONS.map(({ at, label }) => (
        <li key={at}>
          <a href={`#${at}`} className="text-primary underline-offset-4 hover:underline">
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

/** Keeps unsaved edits when the campaign changes in the background, for example when it is paused. */
function EditCampaign({ campaign }: { campaign: Campaign }) {
  const trpc = useTRPC();
  const update = useMutation(
    trpc.campaigns.update.mutationOptions({ meta: { inline: true, done: "Campaign saved." } }),
  );
  return (
    <Form
      error={update.error}
      fieldOf={(param) => campaignField(param, update.variables?.keywords)}
      onSubmit={(fields) => update.mutate({ id: campaign.id, ...readCampaign(fields) })}
      className="space-y-6"
    >
      <CampaignFields campaign={campaign} />
      <ConfirmBid
        error={update.error}
        onConfirm={() => update.variables && update.mutate({ ...update.variables, confirm_high_bid: true })}
      />
      <Button type="submit" pending={update.isPending}>
        Save changes
      </Button>
    </Form>
  );
}

function EndCampaign({ campaign: { id, name, status } }: { campaign: Campaign }) {
  const trpc = useTRPC();
  const router = useRouter();
  const end = useMutation(trpc.campaigns.update.mutationOptions({ meta: { done: "Campaign ended." } }));
  const archive = useMutation(
    trpc.campaigns.delete.mutationOptions({
      meta: { done: "Campaign archived." },
      onSuccess: () => router.push("/offers/campaigns"),
    }),
  );
  return (
    <Section id="end" title="End or archive" description="Figures stay in reports either way.">
      <div className="flex flex-wrap gap-2">
        {status !== "ended" && (
          <Confirm
            trigger={<Button variant="outline">End campaign</Button>}
            title={`End ${name}?`}
            consequence="It stops serving immediately and cannot be restarted. To stop it temporarily, pause it."
            action="End campaign"
            onConfirm={() => end.mutateAsync({ id, status: "ended" })}
          />
        )}
        <Confirm
          trigger={<Button variant="outline">Archive campaign</Button>}
          title={`Archive ${name}?`}
          consequence="It stops serving immediately and disappears from all lists. This cannot be undone."
          action="Archive campaign"
          onConfirm={() => archive.mutateAsync({ id })}
        />
      </div>
    </Section>
  );
}
