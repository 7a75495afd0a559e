-- AlterTable
ALTER TABLE "resources" DROP COLUMN "lease_token",
ADD COLUMN     "lease_fence" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "lease_owner" TEXT;
