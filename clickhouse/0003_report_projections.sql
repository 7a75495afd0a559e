-- What reports over long periods read instead of every slot: the same sums by less. A projection is a part of each part of
-- the rollup: both are there or neither, a repeated batch changes neither, and a part without it is read as it is.
-- Whole days of UTC answer for any time zone what is not asked by time; by_slot answers for local days and hours.

-- Merges of this engine join rows, so projections have to be made anew with them.
ALTER TABLE report_slots MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild';

ALTER TABLE report_slots ADD PROJECTION IF NOT EXISTS by_slot
(
  SELECT
    tenant_id, mode, slot,
    sum(requests),
    sum(served),
    sum(impressions),
    sum(clicks),
    sum(invalid_impressions),
    sum(invalid_clicks),
    sum(spend_nanos),
    sum(earnings_nanos),
    sum(conversions),
    sum(conversion_value_micros)
  GROUP BY tenant_id, mode, slot
);

ALTER TABLE report_slots ADD PROJECTION IF NOT EXISTS by_day_place
(
  SELECT
    tenant_id, mode, toDate(slot), channel_id, placement, device, traffic,
    sum(requests),
    sum(served),
    sum(impressions),
    sum(clicks),
    sum(invalid_impressions),
    sum(invalid_clicks),
    sum(spend_nanos),
    sum(earnings_nanos),
    sum(conversions),
    sum(conversion_value_micros)
  GROUP BY tenant_id, mode, toDate(slot), channel_id, placement, device, traffic
);

ALTER TABLE report_slots ADD PROJECTION IF NOT EXISTS by_day_campaign
(
  SELECT
    tenant_id, mode, toDate(slot), campaign_id, creative_id,
    sum(requests),
    sum(served),
    sum(impressions),
    sum(clicks),
    sum(invalid_impressions),
    sum(invalid_clicks),
    sum(spend_nanos),
    sum(earnings_nanos),
    sum(conversions),
    sum(conversion_value_micros)
  GROUP BY tenant_id, mode, toDate(slot), campaign_id, creative_id
);

ALTER TABLE report_slots ADD PROJECTION IF NOT EXISTS by_day_geo
(
  SELECT
    tenant_id, mode, toDate(slot), geo,
    sum(requests),
    sum(served),
    sum(impressions),
    sum(clicks),
    sum(invalid_impressions),
    sum(invalid_clicks),
    sum(spend_nanos),
    sum(earnings_nanos),
    sum(conversions),
    sum(conversion_value_micros)
  GROUP BY tenant_id, mode, toDate(slot), geo
);

-- In the background, for the parts that are there already: nobody waits for it.
ALTER TABLE report_slots MATERIALIZE PROJECTION IF EXISTS by_slot SETTINGS mutations_sync = 0, alter_sync = 0;
ALTER TABLE report_slots MATERIALIZE PROJECTION IF EXISTS by_day_place SETTINGS mutations_sync = 0, alter_sync = 0;
ALTER TABLE report_slots MATERIALIZE PROJECTION IF EXISTS by_day_campaign SETTINGS mutations_sync = 0, alter_sync = 0;
ALTER TABLE report_slots MATERIALIZE PROJECTION IF EXISTS by_day_geo SETTINGS mutations_sync = 0, alter_sync = 0;
