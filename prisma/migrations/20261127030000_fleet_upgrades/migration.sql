-- CreateEnum
CREATE TYPE "NodeUpgradeState" AS ENUM ('emptying', 'upgrading', 'upgraded', 'failed');

-- CreateEnum
CREATE TYPE "FleetUpgradeState" AS ENUM ('running', 'paused', 'completed', 'cancelled');

-- CreateEnum
CREATE TYPE "UpgradeStrategy" AS ENUM ('rolling', 'blue_green');

-- AlterEnum
ALTER TYPE "CordonSource" ADD VALUE 'upgrade';

-- AlterTable
ALTER TABLE "gpu_nodes" ADD COLUMN "software_version" TEXT NOT NULL DEFAULT '0.1.0',
ADD COLUMN "upgrade_begun_at" TIMESTAMPTZ(3),
ADD COLUMN "upgrade_id" TEXT,
ADD COLUMN "upgrade_state" "NodeUpgradeState",
ADD COLUMN "upgraded_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "fleet_upgrades" (
    "id" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "target_version" TEXT NOT NULL,
    "strategy" "UpgradeStrategy" NOT NULL,
    "max_unavailable" INTEGER NOT NULL,
    "wait_minutes" INTEGER NOT NULL,
    "state" "FleetUpgradeState" NOT NULL DEFAULT 'running',
    "pause_reason" TEXT,
    "nodes" INTEGER NOT NULL,
    "upgraded_nodes" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "resumed_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "fleet_upgrades_pkey" PRIMARY KEY ("id","pool")
);

-- CreateIndex
CREATE INDEX "fleet_upgrades_pool_started_at_idx" ON "fleet_upgrades"("pool", "started_at");

-- A pool has one upgrade at a time.
CREATE UNIQUE INDEX "fleet_upgrades_open_idx" ON "fleet_upgrades"("pool") WHERE "finished_at" IS NULL;
