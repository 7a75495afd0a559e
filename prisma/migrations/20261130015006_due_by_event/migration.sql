-- CreateTable
CREATE TABLE "resource_looks" (
    "plane" TEXT NOT NULL,
    "service" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "resource_looks_pkey" PRIMARY KEY ("plane","service","kind")
);

-- CreateTable
CREATE TABLE "resource_wakes" (
    "id" BIGSERIAL NOT NULL,
    "resource_id" TEXT NOT NULL,

    CONSTRAINT "resource_wakes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "resources_plane_service_state_idx" ON "resources"("plane", "service", "state");

-- The resources that are looked at together: those at rest.
CREATE INDEX "resources_at_rest_idx" ON "resources" ("plane", "service", "kind", "id")
  WHERE "next_at" IS NULL AND "archived_at" IS NULL AND "state" IN ('ready', 'degraded', 'failed');

-- Without a lock on the row of the resource, whose step may wait for the row that changes.
CREATE FUNCTION "wake_resource"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "resource_wakes" ("resource_id") VALUES (to_jsonb(NEW) ->> TG_ARGV[0]);
  RETURN NULL;
END $$;
CREATE TRIGGER "resource_wakes_wake" AFTER INSERT ON "resource_wakes"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('resources');

DROP TRIGGER "pods_wake_instance" ON "pods";
DROP FUNCTION "wake_instance"();
CREATE TRIGGER "pods_wake_resource" AFTER UPDATE OF "status", "deleted_at" ON "pods" FOR EACH ROW
  WHEN (NEW."resource_id" IS NOT NULL
    AND (OLD."status" IS DISTINCT FROM NEW."status" OR OLD."deleted_at" IS DISTINCT FROM NEW."deleted_at"))
  EXECUTE FUNCTION wake_resource('resource_id');
CREATE TRIGGER "public_ports_wake_resource" AFTER UPDATE OF "address", "failure" ON "public_ports" FOR EACH ROW
  WHEN (OLD."address" IS DISTINCT FROM NEW."address" OR OLD."failure" IS DISTINCT FROM NEW."failure")
  EXECUTE FUNCTION wake_resource('resource_id');
CREATE TRIGGER "shared_volumes_wake_resource" AFTER UPDATE ON "shared_volumes" FOR EACH ROW
  WHEN (OLD."state" IS DISTINCT FROM NEW."state" OR OLD."made_gb" IS DISTINCT FROM NEW."made_gb"
    OR OLD."limited_mbps" IS DISTINCT FROM NEW."limited_mbps" OR OLD."failure" IS DISTINCT FROM NEW."failure")
  EXECUTE FUNCTION wake_resource('id');
CREATE TRIGGER "model_conversions_wake_resource" AFTER UPDATE OF "finished_at" ON "model_conversions" FOR EACH ROW
  WHEN (OLD."finished_at" IS DISTINCT FROM NEW."finished_at") EXECUTE FUNCTION wake_resource('id');
CREATE TRIGGER "fleet_upgrades_wake_resource" AFTER UPDATE OF "state" ON "fleet_upgrades" FOR EACH ROW
  WHEN (NEW."tenant_id" IS NOT NULL AND OLD."state" IS DISTINCT FROM NEW."state") EXECUTE FUNCTION wake_resource('id');

-- Resources that were deleted, whose records are deleted later.
CREATE INDEX "resources_archived_at_idx" ON "resources" ("archived_at") WHERE "archived_at" IS NOT NULL;
