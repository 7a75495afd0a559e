"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Loaded } from "../../components/loaded";
import { useMode } from "../../components/shell/mode";
import { Section } from "../../components/ui/card";
import { ROW_LINK } from "../../components/ui/row-link";
import { useTRPC } from "../../trpc/client";
import type { Advertiser } from "./conversion";

const CAMPAIGNS_SHOWN = 8;

/** Which click or view gets the credit for an order, and for how long, campaign by campaign. */
export function Windows({ advertiser: { id, name } }: { advertiser: Advertiser }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const query = useQuery(trpc.campaigns.list.queryOptions({ mode, advertiser_id: id, limit: CAMPAIGNS_SHOWN }));
  return (
    <Section
      title="Who gets the credit"
      description="The last touch within the campaign's window, a click before a view."
    >
      <div className="space-y-4 text-sm">
        <ol className="list-decimal space-y-1.5 pl-5 text-muted-foreground">
          <li>The last counted click before the order, if it is not older than the campaign's days after a click.</li>
          <li>Else the last offer that was seen, if it is not older than the campaign's days after a view.</li>
          <li>Else nobody: the order is kept with the reason, and counts for no campaign.</li>
        </ol>
        <Loaded query={query}>
          {({ data, next_cursor }) =>
            data.length === 0 ? (
              <p className="text-muted-foreground">
                {name} has no campaign in {mode} mode yet.
              </p>
            ) : (
              <>
                <ul className="divide-y rounded-lg border">
                  {data.map(({ id: campaignId, name: campaign, attribution }) => (
                    <li
                      key={campaignId}
                      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2"
                    >
                      <Link href={`/campaigns/${campaignId}`} className={ROW_LINK}>
                        {campaign}
                      </Link>
                      <span className="text-muted-foreground tabular-nums">{windowText(attribution)}</span>
                    </li>
                  ))}
                </ul>
                {next_cursor && <p className="text-muted-foreground">and more campaigns</p>}
              </>
            )
          }
        </Loaded>
      </div>
    </Section>
  );
}

const windowText = ({ click_days, view_days }: { click_days: number; view_days: number }): string =>
  `click ${daysText(click_days)}, ${view_days === 0 ? "views never" : `view ${daysText(view_days)}`}`;

const daysText = (days: number): string => (days === 1 ? "1 day" : `${days} days`);
