-- CreateTable
CREATE TABLE "volume_uses" (
    "runner_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "volume_uses_pkey" PRIMARY KEY ("runner_id","id")
);

-- CreateIndex
CREATE INDEX "volume_uses_tenant_id_idx" ON "volume_uses"("tenant_id");

-- Who has volumes that could take half of the limit of everything, by default 100 GiB, has room for them besides.
INSERT INTO "quotas" ("tenant_id", "resource", "limit", "set_at")
  SELECT v."tenant_id", 'stored_bytes', 107374182400 + sum(v."gb") * 1073741824, now() FROM (
    SELECT "tenant_id", "volume_gb" AS "gb" FROM "pods" WHERE "volume_gb" IS NOT NULL AND "deleted_at" IS NULL
    UNION ALL SELECT "tenant_id", "capacity_gb" FROM "shared_volumes"
  ) v GROUP BY v."tenant_id" HAVING sum(v."gb") > 50
ON CONFLICT ("tenant_id", "resource") DO UPDATE SET "limit" = "quotas"."limit" + excluded."limit" - 107374182400;
