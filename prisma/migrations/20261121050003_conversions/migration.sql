-- What advertisers report, each order of an advertiser once. A conversion that no touch explains names its reason and no campaign.
CREATE TABLE "conversions" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenant_id" TEXT NOT NULL REFERENCES "tenants"("id") ON DELETE CASCADE,
    "mode" TEXT NOT NULL CHECK ("mode" IN ('test', 'live')),
    "advertiser_id" TEXT NOT NULL DEFAULT '',
    "order_id" TEXT NOT NULL,
    "click_id" TEXT NOT NULL DEFAULT '',
    "attribution" TEXT NOT NULL CHECK ("attribution" IN ('click', 'view', 'none')),
    "reason" TEXT NOT NULL DEFAULT '',
    "offer_id" UUID,
    "campaign_id" TEXT NOT NULL DEFAULT '',
    "publisher_tenant_id" TEXT NOT NULL DEFAULT '',
    "channel_id" TEXT NOT NULL DEFAULT '',
    "touched_at" TIMESTAMPTZ(3),
    "value_micros" BIGINT NOT NULL CHECK ("value_micros" >= 0),
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    UNIQUE ("tenant_id", "mode", "advertiser_id", "order_id")
);

CREATE INDEX "conversions_tenant_id_mode_id_idx" ON "conversions"("tenant_id", "mode", "id");

-- Conversions that came before their click, which a time without Postgres may have delayed.
CREATE INDEX "conversions_waiting_idx" ON "conversions"("created_at") WHERE "reason" = 'unknown_click';

-- The touches of a user: what view-through attribution and erasure look for.
CREATE INDEX "offers_user_key_idx" ON "offers"("user_key", "id") WHERE "user_key" <> '';
