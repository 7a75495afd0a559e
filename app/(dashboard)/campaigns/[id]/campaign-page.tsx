"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Form } from "../../../components/form/form";
import { Loaded } from "../../../components/loaded";
import { PageHeader } from "../../../components/page-header";
import { useModeOf } from "../../../components/shell/mode";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { Confirm } from "../../../components/ui/confirm";
import { useTRPC } from "../../../trpc/client";
import type { Campaign } from "../campaign";
import { CampaignFields } from "../campaign-fields";
import { CampaignStatus, StatusButtons } from "../campaign-status";
import { campaignField, readCampaign } from "../read-campaign";
import { useAdvertisers } from "../use-advertisers";
import { Budget } from "./budget";
import { Creatives } from "./creatives";
import { Products } from "./products";

interface CampaignPageProps {
  id: string;
  publicUrl: string;
}

export function CampaignPage({ id, publicUrl }: CampaignPageProps) {
  const trpc = useTRPC();
  const query = useQuery(trpc.campaigns.get.queryOptions({ id }));
  const { nameOf, find } = useAdvertisers();
  const { data: known } = query;
  useModeOf(known);
  return (
    <>
      <PageHeader
        back={{ href: "/campaigns", label: "Campaigns" }}
        title={known?.name ?? "Campaign"}
        description={known && `${nameOf(known.advertiser_id)}, ${known.model}`}
        actions={
          known && (
            <>
              <Badge tone={known.mode === "live" ? "good" : "warn"}>{known.mode}</Badge>
              <CampaignStatus status={known.status} />
              <StatusButtons campaign={known} />
            </>
          )
        }
      />
      <Loaded query={query}>
        {(campaign) => (
          <div className="space-y-6">
            <PlacesOnPage />
            <Budget campaign={campaign} />
            <Creatives campaign={campaign} advertiser={find(campaign.advertiser_id)} />
            <Products campaignId={campaign.id} publicUrl={publicUrl} />
            <div id="settings" className="scroll-mt-20 md:scroll-mt-6">
              <EditCampaign key={campaign.id} campaign={campaign} />
            </div>
            <EndCampaign campaign={campaign} />
          </div>
        )}
      </Loaded>
    </>
  );
}

const PLACES = [
  { at: "budget", label: "Budget" },
  { at: "creatives", label: "Creatives" },
  { at: "products", label: "Product feed" },
  { at: "settings", label: "Settings" },
  { at: "end", label: "End or archive" },
];

/** A campaign is a long page. */
const PlacesOnPage = () => (
  <nav aria-label="On this page" className="-mt-2">
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {PLACES.map(({ at, label }) => (
        <li key={at}>
          <a href={`#${at}`} className="text-primary underline-offset-4 hover:underline">
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

/** Keeps what is typed when the campaign changes meanwhile, as pausing it does. */
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
      onSuccess: () => router.push("/campaigns"),
    }),
  );
  return (
    <Section id="end" title="End or archive" description="Figures stay in reports either way.">
      <div className="flex flex-wrap gap-2">
        {status !== "ended" && (
          <Confirm
            trigger={<Button variant="outline">End campaign</Button>}
            title={`End ${name}?`}
            consequence="It stops serving at once and cannot start again; to stop for a while, pause it."
            action="End campaign"
            onConfirm={() => end.mutateAsync({ id, status: "ended" })}
          />
        )}
        <Confirm
          trigger={<Button variant="outline">Archive campaign</Button>}
          title={`Archive ${name}?`}
          consequence="It stops serving at once and leaves every list. This cannot be undone."
          action="Archive campaign"
          onConfirm={() => archive.mutateAsync({ id })}
        />
      </div>
    </Section>
  );
}
