"use client";

import { useQuery } from "@tanstack/react-query";
import { useMode } from "../../components/shell/mode";
import { Go, Step, Steps } from "../../components/steps";
import { Section } from "../../components/ui/card";
import { useTRPC } from "../../trpc/client";
import type { Report } from "./report";

const KEYS_MAX = 100;

/** The way to the first offer on a page; it disappears once an impression was counted. */
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
  const channelLink = channel && `/channels/${channel.id}`;
  return (
    <Section
      title="Show your first offer"
      description="Four steps; the last two are ticked by themselves within seconds."
    >
      <Steps>
        <Step
          done={channel !== undefined}
          title="Create a channel"
          action={!channel && <Go href="/channels">Channels</Go>}
        >
          The site, app or chat where offers appear.
        </Step>
        <Step
          done={hasKey || totals.requests > 0}
          title="Create a key"
          action={channelLink && !hasKey && <Go href={`${channelLink}#keys`}>Open {channel.name}</Go>}
        >
          A browser key for a page, a server key for a backend.
        </Step>
        <Step
          done={totals.requests > 0}
          waiting={hasKey}
          title="Paste the snippet"
          action={
            channelLink && hasKey && totals.requests === 0 && <Go href={`${channelLink}#show-offers`}>Copy it</Go>
          }
        >
          {totals.requests > 0 ? "We saw your first request." : "Waiting for the first request."}
        </Step>
        <Step done={false} waiting={totals.requests > 0} title="See an offer">
          An impression counts when half of an offer was visible for one second.
        </Step>
      </Steps>
    </Section>
  );
}
