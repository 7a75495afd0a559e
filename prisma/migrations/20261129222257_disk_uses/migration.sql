-- DropTable
DROP TABLE "volume_uses";

-- CreateTable
CREATE TABLE "disk_uses" (
    "runner_id" TEXT NOT NULL,
    "noun" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "disk_uses_pkey" PRIMARY KEY ("runner_id","noun","id")
);

-- CreateIndex
CREATE INDEX "disk_uses_tenant_id_noun_idx" ON "disk_uses"("tenant_id", "noun");

-- Who has pods whose disks, of up to 10 GiB each, could take half of the limit of everything, has room for them besides.
INSERT INTO "quotas" ("tenant_id", "resource", "limit", "set_at")
  SELECT p."tenant_id", 'stored_bytes', 107374182400 + count(*) * 10737418240, now()
  FROM "pod_runs" r JOIN "pods" p ON p."id" = r."pod_id" WHERE r."removed_at" IS NULL
  GROUP BY p."tenant_id" HAVING count(*) > 5
ON CONFLICT ("tenant_id", "resource") DO UPDATE SET "limit" = "quotas"."limit" + excluded."limit" - 107374182400;
