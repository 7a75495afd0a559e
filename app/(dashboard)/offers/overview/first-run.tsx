"use client";

import { useQuery } from "@tanstack/react-query";
import { Section } from "../../../components/ui/card";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import { Step, StepLink, Steps } from "../../components/steps";
import type { Report } from "./report";

const KEYS_MAX = 100;

/** Onboarding steps to the first offer; hidden once an impression has been counted. */
export function FirstRun({ totals }: { totals: Report["totals"] }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const isDone = totals.impressions > 0;
  const channels = useQuery(trpc.channels.list.queryOptions({ mode, limit: 1 }, { enabled: !isDone }));
  const channel = channels.data?.data[0];
  const keys = useQuery(
    trpc.channels.listKeys.queryOptions(
      { id: channel?.id ?? "", limit: KEYS_MAX },
      { enabled: !isDone && channel !== undefined },
    ),
  );
  const hasKey = keys.data?.data.some(({ revoked_at }) => !revoked_at) ?? false;
  if (isDone || channels.data === undefined) return null;
  const channelLink = channel && `/offers/channels/${channel.id}`;
  return (
    <Section
      title="Show your first offer"
      description="Four steps. The last two complete automatically within seconds."
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
