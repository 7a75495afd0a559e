-- Health events that tenants report of their own nodes, which cordon them, and upgrades of these nodes.
ALTER TYPE "CordonSource" ADD VALUE 'tenant';
ALTER TABLE "gpu_nodes" ADD COLUMN "cordon_rid" TEXT;
ALTER TABLE "fleet_upgrades" ADD COLUMN "tenant_id" TEXT,
ADD COLUMN "node_names" TEXT[] DEFAULT ARRAY[]::TEXT[];
CREATE TABLE "node_events" (
  "id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "mode" "Mode" NOT NULL,
  "resource_id" TEXT NOT NULL,
  "pool" TEXT NOT NULL,
  "node" TEXT NOT NULL,
  "severity" "NodeEventSeverity" NOT NULL,
  "signal" TEXT NOT NULL,
  "details" JSONB NOT NULL,
  "cordoned" BOOLEAN NOT NULL,
  "outcome" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "node_events_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "node_events_tenant_id_mode_id_idx" ON "node_events" ("tenant_id", "mode", "id");
CREATE INDEX "node_events_pool_node_created_at_idx" ON "node_events" ("pool", "node", "created_at");
-- Operators upgrade a pool once at a time, and so does each tenant with nodes of its own.
DROP INDEX "fleet_upgrades_open_idx";
CREATE UNIQUE INDEX "fleet_upgrades_open_idx" ON "fleet_upgrades"("pool") WHERE "finished_at" IS NULL AND "tenant_id" IS NULL;
CREATE UNIQUE INDEX "fleet_upgrades_own_open_idx" ON "fleet_upgrades"("tenant_id", "pool") WHERE "finished_at" IS NULL;
