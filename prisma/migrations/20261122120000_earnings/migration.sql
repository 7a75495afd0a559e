-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "network_suspended_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "advertisers" ADD COLUMN     "blocked_channels" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "blocked_domains" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- What follows is outside Prisma's schema.

-- A reversal is a row of its own, with the time and day of the event that it reverses and the amounts below zero: the
-- primary key allows one per event. Rows from before this column have no channel; their offers name it.
ALTER TABLE "ledger" ADD COLUMN "channel_id" TEXT NOT NULL DEFAULT '';
ALTER TABLE "ledger" DROP CONSTRAINT "ledger_event_check", DROP CONSTRAINT "ledger_charge_nanos_check",
    DROP CONSTRAINT "ledger_check";
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_amounts_check" CHECK (
    CASE
        WHEN "event" IN ('impression', 'click') THEN "charge_nanos" > 0 AND "earning_nanos" BETWEEN 0 AND "charge_nanos"
        WHEN "event" IN ('impression_reversal', 'click_reversal')
            THEN "charge_nanos" < 0 AND "earning_nanos" BETWEEN "charge_nanos" AND 0
        ELSE false
    END);

CREATE INDEX "ledger_channel_id_offer_id_idx" ON "ledger"("channel_id", "offer_id", "event") WHERE "charge_nanos" > 0;

-- What a publisher's channels earned by the UTC day of the event. A trigger writes it, so that processes of the version
-- before this one, which run beside it during an upgrade, keep it too.
CREATE TABLE "publisher_earnings" (
    "tenant_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "earned_nanos" BIGINT NOT NULL CHECK ("earned_nanos" >= 0),
    "clawed_back_nanos" BIGINT NOT NULL CHECK ("clawed_back_nanos" >= 0),
    PRIMARY KEY ("tenant_id", "day")
) WITH (fillfactor = 50);

CREATE FUNCTION add_publisher_earnings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO publisher_earnings AS e (tenant_id, day, earned_nanos, clawed_back_nanos)
    SELECT publisher_tenant_id, (at AT TIME ZONE 'UTC')::date, sum(greatest(earning_nanos, 0)), sum(greatest(-earning_nanos, 0))
    FROM added WHERE earning_nanos <> 0
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (tenant_id, day) DO UPDATE SET
        earned_nanos = e.earned_nanos + excluded.earned_nanos,
        clawed_back_nanos = e.clawed_back_nanos + excluded.clawed_back_nanos;
    RETURN NULL;
END
$$;

CREATE TRIGGER "ledger_publisher_earnings" AFTER INSERT ON "ledger"
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_publisher_earnings();

INSERT INTO "publisher_earnings" ("tenant_id", "day", "earned_nanos", "clawed_back_nanos")
SELECT "publisher_tenant_id", ("at" AT TIME ZONE 'UTC')::date, sum("earning_nanos"), 0
FROM "ledger" WHERE "earning_nanos" > 0
GROUP BY 1, 2;

-- What operators clawed back: terms are fixed when it begins, so that an interrupted one ends with the same events.
CREATE TABLE "clawbacks" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "channel_id" TEXT NOT NULL,
    "publisher_tenant_id" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    "offer_ids" UUID[], -- null: every offer of the channel
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "clawbacks_unfinished_idx" ON "clawbacks"("channel_id") WHERE "finished_at" IS NULL;

-- What each clawback has reversed so far, below zero.
CREATE TABLE "clawback_sums" (
    "clawback_id" TEXT NOT NULL REFERENCES "clawbacks"("id"),
    "campaign_id" TEXT NOT NULL,
    "buyer_tenant_id" TEXT NOT NULL,
    "events" BIGINT NOT NULL,
    "charge_nanos" BIGINT NOT NULL,
    "earning_nanos" BIGINT NOT NULL,
    PRIMARY KEY ("clawback_id", "campaign_id")
);
