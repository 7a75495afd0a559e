-- AlterTable
ALTER TABLE "functions" ADD COLUMN "schedule" TEXT,
ADD COLUMN "next_run_at" TIMESTAMPTZ(3),
ADD COLUMN "retries_max" INTEGER NOT NULL DEFAULT 0;

-- Those with a schedule.
CREATE INDEX "functions_next_run_idx" ON "functions"("next_run_at") WHERE "next_run_at" IS NOT NULL;

-- Invocations that ended before are not metered; those of deleted functions are deleted, because their mode is not known.
ALTER TABLE "function_invocations" ADD COLUMN "mode" "Mode",
ADD COLUMN "scheduled_at" TIMESTAMPTZ(3),
ADD COLUMN "attempt" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "due_at" TIMESTAMPTZ(3),
ADD COLUMN "runs" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "memory_ms" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "is_counted" BOOLEAN NOT NULL DEFAULT false;
UPDATE "function_invocations" i SET "mode" = f."mode", "attempt" = CASE WHEN i."started_at" IS NULL THEN 0 ELSE 1 END,
  "is_counted" = i."status" IN ('succeeded', 'failed')
FROM "functions" f WHERE f."id" = i."function_id";
DELETE FROM "function_invocations" WHERE "mode" IS NULL;
ALTER TABLE "function_invocations" ALTER COLUMN "mode" SET NOT NULL;

-- A time of a schedule has one invocation.
CREATE UNIQUE INDEX "function_invocations_scheduled_idx" ON "function_invocations"("function_id", "scheduled_at") WHERE "scheduled_at" IS NOT NULL;

-- Those that have ended since invocations were counted last.
CREATE INDEX "function_invocations_uncounted_idx" ON "function_invocations"("id") WHERE NOT "is_counted" AND "status" IN ('succeeded', 'failed');

-- CreateTable
CREATE TABLE "function_hours" (
    "function_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "runs" BIGINT NOT NULL,
    "memory_ms" BIGINT NOT NULL,

    CONSTRAINT "function_hours_pkey" PRIMARY KEY ("function_id","hour")
);

-- CreateIndex
CREATE INDEX "function_hours_hour_idx" ON "function_hours"("hour");
