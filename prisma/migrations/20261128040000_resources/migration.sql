-- Derived resources of the platform, and the services that tenants have activated.
CREATE TABLE "resources" (
  "id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "mode" "Mode" NOT NULL,
  "plane" TEXT NOT NULL,
  "service" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "created_by" JSONB NOT NULL,
  "spec" JSONB NOT NULL,
  "spec_hash" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "reason" JSONB,
  "generation" INTEGER NOT NULL,
  "observed_generation" INTEGER,
  "observed" JSONB,
  "observed_at" TIMESTAMPTZ(3),
  "failures" INTEGER NOT NULL DEFAULT 0,
  "next_at" TIMESTAMPTZ(3),
  "lease_token" TEXT,
  "lease_until" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "archived_at" TIMESTAMPTZ(3),
  CONSTRAINT "resources_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "resources_tenant_id_mode_id_idx" ON "resources" ("tenant_id", "mode", "id");
CREATE INDEX "resources_next_at_idx" ON "resources" ("next_at");
-- A name means one resource, besides placeholders, which have no effect.
CREATE UNIQUE INDEX "resources_name_key" ON "resources" ("project_id", "mode", "plane", "service", "name")
  WHERE "archived_at" IS NULL AND "state" <> 'placeholder';
CREATE TABLE "activations" (
  "id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "mode" "Mode" NOT NULL,
  "plane" TEXT NOT NULL,
  "service" TEXT NOT NULL,
  "plan_tier" TEXT NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "activations_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "activations_tenant_id_mode_plane_service_idx" ON "activations" ("tenant_id", "mode", "plane", "service");
CREATE UNIQUE INDEX "activations_active_key" ON "activations" ("tenant_id", "mode", "plane", "service") WHERE "ended_at" IS NULL;
-- The pod of an instance.
ALTER TABLE "pods" ADD COLUMN "resource_id" TEXT;
CREATE UNIQUE INDEX "pods_resource_id_key" ON "pods" ("resource_id") WHERE "deleted_at" IS NULL;
-- Room in each page for rows that are looked at every minute, so that their updates need no new index entries.
ALTER TABLE "resources" SET (fillfactor = 50);
