-- Outside Prisma's schema. Processes of the version before this one ignore it.

-- The ledger summed by tenant, UTC day of the event, and channel or campaign, for statements. A trigger writes it, so
-- that processes of the version before this one, which run beside it during an upgrade, keep it too.
CREATE TABLE "ledger_days" (
    "tenant_id" TEXT NOT NULL,
    -- earned: by a publisher's channel, from campaigns of other tenants; spent: by a buyer's campaign, on channels of
    -- other tenants; own: by a campaign on its tenant's own channels, which nobody pays.
    "kind" TEXT NOT NULL CHECK ("kind" IN ('earned', 'spent', 'own')),
    "day" DATE NOT NULL,
    -- The channel ('' if the ledger does not name it) or the campaign.
    "item_id" TEXT NOT NULL,
    "nanos" BIGINT NOT NULL CHECK ("nanos" >= 0),
    "reversed_nanos" BIGINT NOT NULL CHECK ("reversed_nanos" >= 0),
    PRIMARY KEY ("tenant_id", "kind", "day", "item_id")
) WITH (fillfactor = 50);

-- Rows are written in the order of the key, so two transactions cannot wait for each other.
CREATE FUNCTION add_ledger_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ledger_days AS d (tenant_id, kind, day, item_id, nanos, reversed_nanos)
    SELECT side.tenant_id, side.kind, (added.at AT TIME ZONE 'UTC')::date, side.item_id,
      sum(greatest(side.nanos, 0)), sum(greatest(-side.nanos, 0))
    FROM added, LATERAL (VALUES
      (publisher_tenant_id, 'earned', channel_id, earning_nanos),
      (buyer_tenant_id, CASE WHEN buyer_tenant_id = publisher_tenant_id THEN 'own' ELSE 'spent' END, campaign_id, charge_nanos)
    ) AS side (tenant_id, kind, item_id, nanos)
    WHERE side.nanos <> 0
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, kind, day, item_id) DO UPDATE SET
        nanos = d.nanos + excluded.nanos,
        reversed_nanos = d.reversed_nanos + excluded.reversed_nanos;
    RETURN NULL;
END
$$;

CREATE TRIGGER "ledger_summed_by_day" AFTER INSERT ON "ledger"
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_ledger_days();

-- The trigger's lock keeps other writers away until this migration is committed. Rows from before the ledger had
-- channels get theirs from their offers, while these are stored.
INSERT INTO "ledger_days" ("tenant_id", "kind", "day", "item_id", "nanos", "reversed_nanos")
SELECT side.tenant_id, side.kind, (l."at" AT TIME ZONE 'UTC')::date, side.item_id,
  sum(greatest(side.nanos, 0)), sum(greatest(-side.nanos, 0))
FROM "ledger" l, LATERAL (VALUES
  ("publisher_tenant_id", 'earned',
    CASE WHEN "channel_id" <> '' THEN "channel_id"
         ELSE coalesce((SELECT o."channel_id" FROM "offers" o WHERE o."id" = l."offer_id"), '') END,
    "earning_nanos"),
  ("buyer_tenant_id", CASE WHEN "buyer_tenant_id" = "publisher_tenant_id" THEN 'own' ELSE 'spent' END, "campaign_id",
    "charge_nanos")
) AS side (tenant_id, kind, item_id, nanos)
WHERE side.nanos <> 0
GROUP BY 1, 2, 3, 4;
