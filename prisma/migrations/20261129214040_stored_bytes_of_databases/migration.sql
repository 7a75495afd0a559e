-- CreateIndex
CREATE INDEX "edge_sql_databases_tenant_id_idx" ON "edge_sql_databases"("tenant_id");

-- What exists is measured at once.
INSERT INTO "stored_bytes" ("tenant_id", "noun", "due_at")
  SELECT DISTINCT "tenant_id", 'databases', now() FROM "edge_sql_databases" ON CONFLICT DO NOTHING;
