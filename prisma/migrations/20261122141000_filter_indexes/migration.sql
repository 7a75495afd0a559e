-- svc: no transaction
-- Built beside the writers of living tables: nobody waits for them, and a build that was interrupted is repeated.

-- What the hourly sweep deletes.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "auth_tokens_expires_at_idx" ON "auth_tokens"("expires_at");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "log_in_codes_expires_at_idx" ON "log_in_codes"("expires_at");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "invitations_expires_at_idx" ON "invitations"("expires_at");

-- The filters of a tenant's audit log. The ids of targets are unique among tenants, so they need no tenant beside them.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entries_tenant_id_action_sequence_idx" ON "audit_entries"("tenant_id", "action" text_pattern_ops, "sequence");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entries_tenant_id_at_idx" ON "audit_entries"("tenant_id", "at");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entries_actor_id_idx" ON "audit_entries"("tenant_id", ("actor" #> '{id}'), "sequence");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entries_targets_idx" ON "audit_entries" USING gin ("targets" jsonb_path_ops);

-- The conversions of one campaign.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversions_campaign_id_id_idx" ON "conversions"("campaign_id", "id") WHERE "campaign_id" <> '';
