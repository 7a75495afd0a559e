-- What fill rates read: how many requests got an offer, by the groups of a report, from the requests themselves. Rows
-- from before this version are included once they are materialized, and read as they are until then.

ALTER TABLE requests ADD PROJECTION IF NOT EXISTS filled_by_slot
(
  SELECT
    tenant_id, mode, toStartOfFifteenMinutes(at), channel_id, placement, geo, device,
    countIf(served > 0)
  GROUP BY tenant_id, mode, toStartOfFifteenMinutes(at), channel_id, placement, geo, device
);

-- In the background, for the parts that are there already: nobody waits for it.
ALTER TABLE requests MATERIALIZE PROJECTION IF EXISTS filled_by_slot SETTINGS mutations_sync = 0, alter_sync = 0;
