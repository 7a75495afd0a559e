-- Outside Prisma's schema. Processes of the version before this one ignore it.

-- The demo account's simulated traffic: what was or is being written, at most once per tenant.
CREATE TABLE "simulated_traffic" (
    "tenant_id" TEXT NOT NULL PRIMARY KEY REFERENCES "tenants"("id") ON DELETE CASCADE,
    -- The tenant that buys the other part of the simulated offers.
    "partner_id" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    -- Everything before this time is written.
    "written_to" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3)
);
