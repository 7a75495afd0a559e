-- The highest order value that counts when only a page of the advertiser reported it; NULL is the default of the installation.
ALTER TABLE "advertisers" ADD COLUMN "pixel_value_max_micros" BIGINT;

-- source: who reported the order. NULL is an authenticated report by a process of an earlier version, which inserts NULL
-- into columns that it does not know. fact: the row of ClickHouse that is reversed when a server reports the order.
-- over_limit: the value was above a limit of the pixel and counts as 0. look_at: when to look for the click again.
ALTER TABLE "conversions"
    ADD COLUMN "source" TEXT CHECK ("source" IN ('server', 'pixel')),
    ADD COLUMN "fact" JSONB,
    ADD COLUMN "over_limit" BOOLEAN,
    ADD COLUMN "look_at" TIMESTAMPTZ(3);

UPDATE "conversions" SET "look_at" = "created_at"
WHERE "reason" = 'unknown_click' AND "created_at" > now() - interval '1 day';

DROP INDEX "conversions_waiting_idx";
CREATE INDEX "conversions_look_at_idx" ON "conversions"("tenant_id", "look_at") WHERE "look_at" IS NOT NULL;

-- What one pixel order is checked against: the value that pixels of the advertiser reported lately, and the orders of the click.
CREATE INDEX "conversions_pixel_value_idx" ON "conversions"("advertiser_id", "mode", "created_at") INCLUDE ("value_micros") WHERE "source" = 'pixel';
CREATE INDEX "conversions_pixel_click_idx" ON "conversions"("click_id") WHERE "source" = 'pixel';

-- Pixel orders whose click is not claimed yet. They hold no order id; an advertiser has a fixed number of places.
CREATE TABLE "waiting_pixels" (
    "advertiser_id" TEXT NOT NULL REFERENCES "advertisers"("id") ON DELETE CASCADE,
    "mode" TEXT NOT NULL CHECK ("mode" IN ('test', 'live')),
    "place" INTEGER NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "click_id" TEXT NOT NULL,
    "value_micros" BIGINT NOT NULL CHECK ("value_micros" >= 0),
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "look_at" TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY ("advertiser_id", "mode", "place")
);

CREATE INDEX "waiting_pixels_look_at_idx" ON "waiting_pixels"("look_at");
