-- CreateTable
CREATE TABLE "budget_crossings" (
    "campaign_id" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "budget_micros" BIGINT NOT NULL,
    "crossed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budget_crossings_pkey" PRIMARY KEY ("campaign_id","period","level","budget_micros")
);

-- CreateIndex
CREATE INDEX "budget_crossings_crossed_at_idx" ON "budget_crossings"("crossed_at");

-- AddForeignKey
ALTER TABLE "budget_crossings" ADD CONSTRAINT "budget_crossings_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE CASCADE;
