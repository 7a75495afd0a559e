-- AlterTable: renamed, because a trigger depends on the time.
ALTER TABLE "shield_scans" RENAME COLUMN "claim" TO "lease_owner";
ALTER TABLE "shield_scans" RENAME COLUMN "claimed_until" TO "lease_until";
ALTER TABLE "shield_scans" ADD COLUMN "lease_fence" INTEGER NOT NULL DEFAULT 0;
