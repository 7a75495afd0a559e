-- What click and settle rates read: sums of a campaign by the hour, in the order of hours, so that a look at the last
-- hours reads those alone, however much was counted before them.

ALTER TABLE report_slots ADD PROJECTION IF NOT EXISTS by_hour_campaign
(
  SELECT
    toStartOfHour(slot), mode, campaign_id, creative_id,
    sum(served),
    sum(impressions),
    sum(clicks)
  GROUP BY toStartOfHour(slot), mode, campaign_id, creative_id
);

ALTER TABLE report_slots MATERIALIZE PROJECTION IF EXISTS by_hour_campaign SETTINGS mutations_sync = 0, alter_sync = 0;
