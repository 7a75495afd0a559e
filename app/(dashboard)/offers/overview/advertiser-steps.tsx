import { Section } from "../../../components/ui/card";
import { Step, StepLink, Steps } from "../../components/steps";
import type { ServingState } from "./serving-state";

interface AdvertiserStepsProps {
  hasAdvertiser: boolean;
  /** The campaign that is the furthest; undefined while there is none. */
  campaign: ServingState | undefined;
}

/** An advertiser's steps to the first impression of a campaign, which needs no channel of one's own. */
export function AdvertiserSteps({ hasAdvertiser, campaign }: AdvertiserStepsProps) {
  const at = campaign && `/offers/campaigns/${campaign.id}`;
  const canServe = campaign?.hasItems === true && campaign.blockedBy === undefined;
  return (
    <Section
      title="Advertise your first product"
      description="For shops and brands; a channel of your own is not needed. The last two steps complete automatically."
    >
      <Steps>
        <Step
          done={hasAdvertiser}
          title="Create an advertiser"
          action={!hasAdvertiser && <StepLink href="/offers/advertisers">Advertisers</StepLink>}
        >
          The brand that an offer shows: a name, a domain and an icon.
        </Step>
        <Step
          done={campaign !== undefined}
          title="Create a campaign"
          action={hasAdvertiser && !campaign && <StepLink href="/offers/campaigns/new">New campaign</StepLink>}
        >
          Who sees it, the bid and the budget, and whether other publishers' channels may show it.
        </Step>
        <Step
          done={campaign?.hasItems ?? false}
          title="Add a creative"
          action={at && !campaign.hasItems && <StepLink href={`${at}?tab=creatives`}>Open {campaign.name}</StepLink>}
        >
          A title, a text and a landing page, or a whole product feed.
        </Step>
        <Step
          done={canServe}
          title="Ready to serve"
          action={at && campaign.hasItems && !canServe && <StepLink href={at}>Open {campaign.name}</StepLink>}
        >
          {(campaign?.hasItems && campaign.blockedBy) || "Active, and allowed on the channels that it reaches."}
        </Step>
        <Step done={false} waiting={canServe} title="First impression">
          {canServe
            ? "Waiting for a search that the campaign matches."
            : "Counts when half of an offer was visible for one second."}
        </Step>
      </Steps>
    </Section>
  );
}
