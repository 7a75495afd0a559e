-- What a campaign has spent ever: the sum of its rows of campaign_spend, so that no claim and no look at budgets reads
-- all of its days. A trigger writes it, so that processes of the version before this one, which run beside it during an
-- upgrade, keep it too.
CREATE TABLE "campaign_totals" (
    "campaign_id" TEXT NOT NULL PRIMARY KEY,
    "nanos" BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE FUNCTION add_campaign_total() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.campaign_id <> OLD.campaign_id THEN
        RAISE EXCEPTION 'campaign_spend.campaign_id does not change';
    END IF;
    INSERT INTO campaign_totals AS t (campaign_id, nanos)
    VALUES (coalesce(NEW.campaign_id, OLD.campaign_id), coalesce(NEW.nanos, 0) - coalesce(OLD.nanos, 0))
    ON CONFLICT (campaign_id) DO UPDATE SET nanos = t.nanos + excluded.nanos;
    RETURN NULL;
END
$$;

-- For each row: rows are written in the order of campaigns, so totals are locked in that order too, whether a statement
-- adds days or amounts. A trigger for each statement would lock those of its new days after those of its old ones, and
-- two transactions could wait for each other.
CREATE TRIGGER "campaign_spend_total" AFTER INSERT OR UPDATE OR DELETE ON "campaign_spend"
    FOR EACH ROW EXECUTE FUNCTION add_campaign_total();

-- The trigger's lock keeps other writers away until this migration is committed.
INSERT INTO "campaign_totals" ("campaign_id", "nanos")
SELECT "campaign_id", sum("nanos") FROM "campaign_spend" GROUP BY "campaign_id";
