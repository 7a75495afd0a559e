-- AlterTable: renamed, because triggers depend on it.
ALTER TABLE "webhook_deliveries" RENAME COLUMN "claim" TO "lease_owner";
ALTER TABLE "webhook_deliveries" ADD COLUMN "lease_fence" INTEGER NOT NULL DEFAULT 0;
