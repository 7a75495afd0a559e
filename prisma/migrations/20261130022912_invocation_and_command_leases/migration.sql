-- AlterTable
ALTER TABLE "function_invocations" ADD COLUMN     "lease_fence" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "lease_owner" TEXT,
ADD COLUMN     "lease_until" TIMESTAMPTZ(3);
-- Those that run count as interrupted if they have not ended then.
UPDATE "function_invocations" SET "lease_until" = "started_at" + interval '2 minutes' WHERE "status" = 'running';

-- AlterTable
ALTER TABLE "sandboxes" ADD COLUMN     "lease_fence" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "lease_owner" TEXT,
ADD COLUMN     "lease_until" TIMESTAMPTZ(3);
UPDATE "sandboxes" SET "lease_fence" = 1, "lease_until" = "command_claimed_at" + interval '1 minute'
WHERE "command_claimed_at" IS NOT NULL;
ALTER TABLE "sandboxes" DROP COLUMN "command_claimed_at";
