-- CreateTable
CREATE TABLE "feed_schedules" (
    "campaign_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "interval_hours" INTEGER NOT NULL,
    "remove_missing" BOOLEAN NOT NULL,
    "username" TEXT,
    "sealed_password" TEXT,
    "next_fetch_at" TIMESTAMPTZ(3) NOT NULL,
    "paused_at" TIMESTAMPTZ(3),
    "claim" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "etag" TEXT,
    "last_modified" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "last_fetch" JSON,
    "last_import" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_schedules_pkey" PRIMARY KEY ("campaign_id")
);

-- CreateIndex
CREATE INDEX "feed_schedules_next_fetch_at_idx" ON "feed_schedules"("next_fetch_at");

-- AddForeignKey
ALTER TABLE "feed_schedules" ADD CONSTRAINT "feed_schedules_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE CASCADE;
