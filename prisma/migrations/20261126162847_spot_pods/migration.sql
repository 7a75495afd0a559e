-- CreateEnum
CREATE TYPE "Purchase" AS ENUM ('on_demand', 'spot', 'reserved');

-- AlterEnum
ALTER TYPE "PodStatus" ADD VALUE 'reclaiming';

-- AlterTable
ALTER TABLE "pods" ADD COLUMN     "auto_resume" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "spot" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "pod_runs" ADD COLUMN     "notice_at" TIMESTAMPTZ(3),
ADD COLUMN     "reclaim_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "pod_usage" ADD COLUMN     "purchase" "Purchase" NOT NULL DEFAULT 'on_demand';
