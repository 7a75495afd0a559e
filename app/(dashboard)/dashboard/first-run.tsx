"use client";

import { useQuery } from "@tanstack/react-query";
import { Circle, CircleCheck } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { useMode } from "../../components/shell/mode";
import { Button } from "../../components/ui/button";
import { Section } from "../../components/ui/card";
import { cn } from "../../components/ui/cn";
import { useTRPC } from "../../trpc/client";
import type { Report } from "./report";

/** The way to the first offer on a page; it disappears once an impression was counted. */
export function FirstRun({ totals }: { totals: Report["totals"] }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const channels = useQuery(trpc.channels.list.queryOptions({ mode, limit: 1 }));
  const channel = channels.data?.data[0];
  const keys = useQuery(
    trpc.channels.listKeys.queryOptions({ id: channel?.id ?? "", limit: 1 }, { enabled: channel !== undefined }),
  );
  const hasKey = (keys.data?.data.length ?? 0) > 0;
  if (totals.impressions > 0 || channels.data === undefined) return null;
  const channelLink = channel && `/channels/${channel.id}`;
  return (
    <Section
      title="Show your first offer"
      description="Four steps; the last two are ticked by themselves within seconds."
    >
      <ol className="space-y-1">
        <Step
          done={channel !== undefined}
          title="Create a channel"
          action={!channel && <Go href="/channels">Channels</Go>}
        >
          The site, app or chat where offers appear.
        </Step>
        <Step
          done={hasKey}
          title="Create a key"
          action={channelLink && !hasKey && <Go href={channelLink}>Open {channel.name}</Go>}
        >
          A browser key for a page, a server key for a backend.
        </Step>
        <Step
          done={totals.requests > 0}
          title="Paste the snippet"
          action={channelLink && hasKey && totals.requests === 0 && <Go href={channelLink}>Copy it</Go>}
        >
          {totals.requests > 0 ? "We saw your first request." : "Waiting for the first request."}
        </Step>
        <Step done={false} title="See an offer">
          An impression counts when half of an offer was visible for one second.
        </Step>
      </ol>
    </Section>
  );
}

interface StepProps {
  done: boolean;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

const Step = ({ done, title, children, action }: StepProps) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg px-2 py-2.5">
    {done ? (
      <CircleCheck aria-hidden className="size-5 shrink-0 text-success-foreground" />
    ) : (
      <Circle aria-hidden className="size-5 shrink-0 text-muted-foreground" />
    )}
    <div className="min-w-0 flex-1">
      <p className={cn("font-medium text-sm", done && "text-muted-foreground")}>
        {title}
        <span className="sr-only">{done ? ", done" : ", to do"}</span>
      </p>
      <p className="text-muted-foreground text-sm">{children}</p>
    </div>
    {action}
  </li>
);

const Go = ({ href, children }: { href: string; children: ReactNode }) => (
  <Button asChild size="sm">
    <Link href={href}>{children}</Link>
  </Button>
);
