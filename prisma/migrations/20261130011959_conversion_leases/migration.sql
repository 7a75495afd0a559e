-- AlterTable: renamed, because a trigger depends on the time.
ALTER TABLE "model_conversions" RENAME COLUMN "claim" TO "lease_owner";
ALTER TABLE "model_conversions" RENAME COLUMN "claimed_until" TO "lease_until";
ALTER TABLE "model_conversions" ADD COLUMN "lease_fence" INTEGER NOT NULL DEFAULT 0;

-- RenameIndex
ALTER INDEX "model_conversions_finished_at_claimed_until_idx" RENAME TO "model_conversions_finished_at_lease_until_idx";
