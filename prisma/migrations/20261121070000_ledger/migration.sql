-- Every charge, once an offer and event, for good: campaign_spend is its sum by day, and reports must equal it.
CREATE TABLE "ledger" (
    "offer_id" UUID NOT NULL,
    "event" TEXT NOT NULL CHECK ("event" IN ('impression', 'click')),
    "at" TIMESTAMPTZ(3) NOT NULL,
    "day" DATE NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "buyer_tenant_id" TEXT NOT NULL,
    "publisher_tenant_id" TEXT NOT NULL,
    "charge_nanos" BIGINT NOT NULL CHECK ("charge_nanos" > 0),
    "earning_nanos" BIGINT NOT NULL CHECK ("earning_nanos" BETWEEN 0 AND "charge_nanos"),
    PRIMARY KEY ("offer_id", "event")
);

CREATE INDEX "ledger_day_idx" ON "ledger" USING brin ("day");

-- What offers that were served and not yet seen or clicked are expected to cost: an estimate that fades within minutes,
-- so it need not outlive a crash. served_nanos only grows: all that was ever expected.
CREATE UNLOGGED TABLE "campaign_pending" (
    "campaign_id" TEXT NOT NULL PRIMARY KEY,
    "nanos" DOUBLE PRECISION NOT NULL,
    "served_nanos" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL
) WITH (fillfactor = 50);
