-- What frequency caps have counted, one row an impression of a capped offer, written by the statement that claims it: the
-- counters live in memory and are put back from here. Like an offer, a row lies in the partition of its id's day.
CREATE TABLE "cap_events" (
    "id" UUID NOT NULL PRIMARY KEY, -- of the offer
    "user_key" TEXT NOT NULL,
    -- When the place was reserved, on the counters' clock: windows run from there.
    "at" TIMESTAMPTZ(3) NOT NULL,
    -- When the last of its windows has passed.
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    -- [{ "key": "campaign:cmp_…:86400", "windowMs": 86400000 }], as the counters know them.
    "windows" JSONB NOT NULL,
    -- On the clock of Postgres, which all processes share.
    "noted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp()
) PARTITION BY RANGE ("id");

-- What still counts, for a rebuild; what was noted lately, for a look after missed counts; whose it is, for erasure.
CREATE INDEX "cap_events_ends_at_id_idx" ON "cap_events"("ends_at", "id");
CREATE INDEX "cap_events_noted_at_id_idx" ON "cap_events"("noted_at", "id");
CREATE INDEX "cap_events_user_key_idx" ON "cap_events"("user_key");

-- Erasure finds the offers that hold places of a user.
CREATE INDEX "offers_caps_user_idx" ON "offers"(("caps"->>'user')) WHERE "caps" IS NOT NULL;

-- A rebuild reads the offers of two hours that hold places, and passes over all others.
CREATE INDEX "offers_capped_idx" ON "offers"("id") WHERE "caps" IS NOT NULL;
