-- Outside Prisma's schema. What happened in a queue in one minute, and how many messages it had at the last measurement
-- in it. A queue without messages in which nothing happens has no rows, so the last row of a queue says how many
-- messages it has since. Kept for 14 days.
CREATE TABLE "queue_minutes" (
    "queue_id" TEXT NOT NULL,
    "minute" TIMESTAMPTZ(0) NOT NULL,
    "sent" BIGINT NOT NULL,
    "received" BIGINT NOT NULL,
    "acknowledged" BIGINT NOT NULL,
    "waiting" BIGINT NOT NULL,
    "delayed" BIGINT NOT NULL,
    "in_flight" BIGINT NOT NULL,
    PRIMARY KEY ("queue_id", "minute")
) WITH (fillfactor = 80);

CREATE INDEX "queue_minutes_minute_idx" ON "queue_minutes"("minute");
