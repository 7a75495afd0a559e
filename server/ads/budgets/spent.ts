/** SQL for what a campaign spent on a day of its time zone, in nanos. Reads one row. */
export const spentOn = (campaignId: string, day: string): string =>
  `coalesce((SELECT d.nanos FROM campaign_spend d WHERE d.campaign_id = ${campaignId} AND d.day = ${day}), 0)`;

/** SQL for what a campaign spent in total, in nanos. Reads one row, whatever the campaign's age. */
export const spentEver = (campaignId: string): string =>
  `coalesce((SELECT t.nanos FROM campaign_totals t WHERE t.campaign_id = ${campaignId}), 0)`;
