"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Form } from "../../../../components/form/form";
import { QueryContent } from "../../../../components/query-content";
import { Alert } from "../../../../components/ui/alert";
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
import { CopyCampaign } from "./copy-campaign";
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
              <CampaignStatus campaign={campaign} />
              <StatusButtons campaign={campaign} />
              {campaign.mode === "test" && (
                <CopyCampaign campaign={campaign} advertiserName={nameOf(campaign.advertiser_id)} />
              )}
            </>
          )
        }
      />
      <QueryContent query={query}>
        {(campaign) => (
          <div className="space-y-6">
            <SectionLinks />
            {campaign.items === 0 && <NoItemsNotice />}
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

const NoItemsNotice = () => (
  <Alert tone="warn">
    This campaign has nothing to serve.{" "}
    <a href="#creatives" className={LINK}>
      Add a creative
    </a>{" "}
    or{" "}
    <a href="#products" className={LINK}>
      upload a product feed
    </a>
    .
  </Alert>
);

const LINK = "font-medium underline underline-offset-4";

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

/** A field that gets the focus scrolls to where the save bar does not cover it. */
const ABOVE_SAVE_BAR = "[&_:is(input,select,textarea,button)]:scroll-mb-24";

/** Keeps unsaved edits when the campaign changes in the background, for example when it is paused. */
function EditCampaign({ campaign }: { campaign: Campaign }) {
  const trpc = useTRPC();
  const update = useMutation(
    trpc.campaigns.update.mutationOptions({ meta: { inline: true, done: "Campaign saved." } }),
  );
  return (
    <Form
      error={update.error}
      saving={update.status}
      fieldOf={(param) => campaignField(param, update.variables?.keywords)}
      onSubmit={(fields) => update.mutate({ id: campaign.id, ...readCampaign(fields) })}
      className={`space-y-6 ${ABOVE_SAVE_BAR}`}
    >
      <CampaignFields campaign={campaign} />
      <ConfirmBid
        error={update.error}
        onConfirm={() => update.variables && update.mutate({ ...update.variables, confirm_high_bid: true })}
      />
      <div className="sticky bottom-3 z-10 flex justify-end rounded-xl border bg-card px-4 py-3 shadow-lg sm:px-6">
        <Button type="submit" pending={update.isPending}>
          Save changes
        </Button>
      </div>
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
