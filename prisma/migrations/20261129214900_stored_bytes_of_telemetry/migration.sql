-- What exists is measured at once.
INSERT INTO "stored_bytes" ("tenant_id", "noun", "due_at")
  SELECT DISTINCT "tenant_id", 'telemetry', now() FROM "telemetry_stores" ON CONFLICT DO NOTHING;
