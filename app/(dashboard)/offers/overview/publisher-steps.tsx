import { Section } from "../../../components/ui/card";
import { useQueryOf } from "../../../trpc/use-operation";
import { Step, StepLink, Steps } from "../../components/steps";
import type { Report } from "./report";

const KEYS_MAX = 100;

interface PublisherStepsProps {
  /** The first channel; undefined while there is none. */
  channel: { id: string; name: string } | undefined;
  totals: Report["totals"];
}

/** A publisher's steps to the first offer that is seen. */
export function PublisherSteps({ channel, totals }: PublisherStepsProps) {
  const keys = useQueryOf(
    "listChannelKeys",
    { id: channel?.id ?? "", limit: KEYS_MAX },
    { enabled: channel !== undefined },
  );
  const hasKey = keys.data?.data.some(({ revoked_at }) => !revoked_at) ?? false;
  const channelLink = channel && `/offers/channels/${channel.id}`;
  return (
    <Section
      title="Show your first offer"
      description="For sites, apps and chats. Four steps; the last two complete automatically within seconds."
    >
      <Steps>
        <Step
          done={channel !== undefined}
          title="Create a channel"
          action={!channel && <StepLink href="/offers/channels">Channels</StepLink>}
        >
          The site, app or chat where offers appear.
        </Step>
        <Step
          done={hasKey || totals.requests > 0}
          title="Create a key"
          action={channelLink && !hasKey && <StepLink href={`${channelLink}#keys`}>Open {channel.name}</StepLink>}
        >
          A browser key for a page, a server key for a backend.
        </Step>
        <Step
          done={totals.requests > 0}
          waiting={hasKey}
          title="Paste the snippet"
          action={
            channelLink &&
            hasKey &&
            totals.requests === 0 && <StepLink href={`${channelLink}#show-offers`}>Copy it</StepLink>
          }
        >
          {totals.requests > 0 ? "First request received." : "Waiting for the first request."}
        </Step>
        <Step done={false} waiting={totals.requests > 0} title="See an offer">
          An impression counts when half of an offer was visible for one second.
        </Step>
      </Steps>
    </Section>
  );
}
