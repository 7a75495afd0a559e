-- CreateTable
CREATE TABLE "stored_bytes" (
    "tenant_id" TEXT NOT NULL,
    "noun" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "measured_at" TIMESTAMPTZ(3),
    "measure_ms" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "stored_bytes_pkey" PRIMARY KEY ("tenant_id","noun")
);

-- CreateIndex
CREATE INDEX "stored_bytes_due_at_idx" ON "stored_bytes"("due_at");

-- CreateIndex
CREATE INDEX "edge_kv_namespaces_tenant_id_idx" ON "edge_kv_namespaces"("tenant_id");

-- CreateIndex
CREATE INDEX "function_invocations_tenant_id_idx" ON "function_invocations"("tenant_id");

-- AddForeignKey
ALTER TABLE "stored_bytes" ADD CONSTRAINT "stored_bytes_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What exists is measured at once.
INSERT INTO "stored_bytes" ("tenant_id", "noun", "due_at")
  SELECT t."id", n."noun", now() FROM "tenants" t
  CROSS JOIN unnest(ARRAY['objects', 'queues', 'kv', 'functions', 'checkpoints']) AS n("noun");

-- Who has been given more of objects or checkpoints than the limit of everything, by default 100 GiB, keeps it.
INSERT INTO "quotas" ("tenant_id", "resource", "limit", "set_at")
  SELECT q."tenant_id", 'stored_bytes', least(sum(q."limit") + 107374182400, 9007199254740991), now() FROM "quotas" q
  WHERE q."resource" IN ('storage_bytes', 'checkpoint_bytes') AND q."limit" > 107374182400
  GROUP BY q."tenant_id";
