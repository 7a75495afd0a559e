-- AlterTable
ALTER TABLE "fleet_upgrades" ALTER COLUMN "target_version" DROP NOT NULL;

-- AlterTable
ALTER TABLE "joined_nodes" ADD COLUMN "boot_id" TEXT,
ADD COLUMN "restart_at" TIMESTAMPTZ(3),
ADD COLUMN "restart_boot_id" TEXT,
ADD COLUMN "upgrade_begun_at" TIMESTAMPTZ(3),
ADD COLUMN "upgrade_id" TEXT,
ADD COLUMN "upgrade_state" "NodeUpgradeState",
ADD COLUMN "upgraded_at" TIMESTAMPTZ(3),
ADD COLUMN "upgraded_by" TEXT;
