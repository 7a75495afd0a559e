import { QueryContent } from "../../../components/query-content";
import { Section } from "../../../components/ui/card";
import { Link } from "../../../components/ui/link";
import { useQueryOf } from "../../../trpc/use-operation";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useMode } from "../../components/shell/mode";
import type { Advertiser } from "./conversion";

const CAMPAIGNS_SHOWN = 8;

/** Which click or view an order is attributed to, and for how long, for each campaign. */
export function AttributionWindows({ advertiser: { id, name } }: { advertiser: Advertiser }) {
  const { mode } = useMode();
  const query = useQueryOf("listCampaigns", { mode, advertiser_id: id, limit: CAMPAIGNS_SHOWN });
  return (
    <Section title="Attribution" description="The last touch within the campaign's window, a click before a view.">
      <div className="space-y-4 text-sm">
        <ol className="list-decimal space-y-1.5 pl-5 text-muted-foreground">
          <li>The last counted click before the order, if it is not older than the campaign's days after a click.</li>
          <li>Else the last offer that was seen, if it is not older than the campaign's days after a view.</li>
          <li>Otherwise no campaign: the order is kept with the reason.</li>
        </ol>
        <QueryContent query={query}>
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
                      <Link href={`/offers/campaigns/${campaignId}`} className={ROW_LINK_STYLE}>
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
        </QueryContent>
      </div>
    </Section>
  );
}

const windowText = ({ click_days, view_days }: { click_days: number; view_days: number }): string =>
  `click ${daysText(click_days)}, ${view_days === 0 ? "views never" : `view ${daysText(view_days)}`}`;

const daysText = (days: number): string => (days === 1 ? "1 day" : `${days} days`);
