-- What makes rounds of the ads product due.

-- Statement triggers, because an import writes thousands of rows at once, and the round only reads these tables.
CREATE TRIGGER "channels_wake" AFTER INSERT OR UPDATE ON "channels" EXECUTE FUNCTION wake_rounds('catalog');
CREATE TRIGGER "channel_keys_wake_insert" AFTER INSERT ON "channel_keys" EXECUTE FUNCTION wake_rounds('catalog');
-- Not for the time of a key's last use.
CREATE TRIGGER "channel_keys_wake_update" AFTER UPDATE OF "id", "channel_id", "kind", "hash", "revoked_at" ON "channel_keys"
  EXECUTE FUNCTION wake_rounds('catalog');
CREATE TRIGGER "advertisers_wake" AFTER INSERT OR UPDATE ON "advertisers" EXECUTE FUNCTION wake_rounds('catalog');
CREATE TRIGGER "campaigns_wake" AFTER INSERT OR UPDATE ON "campaigns" EXECUTE FUNCTION wake_rounds('catalog');
CREATE TRIGGER "creatives_wake" AFTER INSERT OR UPDATE ON "creatives" EXECUTE FUNCTION wake_rounds('catalog');
CREATE TRIGGER "products_wake" AFTER INSERT OR UPDATE ON "products" EXECUTE FUNCTION wake_rounds('catalog');

-- What decides whether tenants' network campaigns may serve, except what claims spend: that is read while they serve.
CREATE TRIGGER "tenants_wake_buyers" AFTER UPDATE OF "is_demo" ON "tenants" EXECUTE FUNCTION wake_rounds('buyers');
CREATE TRIGGER "memberships_wake_buyers" AFTER INSERT OR UPDATE OR DELETE ON "memberships" EXECUTE FUNCTION wake_rounds('buyers');
CREATE TRIGGER "users_wake_buyers" AFTER UPDATE OF "email_verified_at" ON "users" EXECUTE FUNCTION wake_rounds('buyers');
CREATE TRIGGER "tenant_balances_wake_insert" AFTER INSERT ON "tenant_balances" EXECUTE FUNCTION wake_rounds('buyers');
CREATE TRIGGER "tenant_balances_wake_update" AFTER UPDATE OF "credited_nanos" ON "tenant_balances"
  EXECUTE FUNCTION wake_rounds('buyers');

CREATE TRIGGER "feed_schedules_wake" AFTER INSERT OR DELETE ON "feed_schedules"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('feeds');
CREATE TRIGGER "feed_schedules_wake_update" AFTER UPDATE ON "feed_schedules"
  FOR EACH ROW WHEN (NEW."next_fetch_at" IS DISTINCT FROM OLD."next_fetch_at"
    OR NEW."paused_at" IS DISTINCT FROM OLD."paused_at"
    OR (OLD."claim" IS NOT NULL AND NEW."claim" IS DISTINCT FROM OLD."claim"))
  EXECUTE FUNCTION wake_rounds('feeds');
CREATE TRIGGER "campaigns_wake_feeds" AFTER UPDATE OF "status", "archived_at" ON "campaigns"
  EXECUTE FUNCTION wake_rounds('feeds');
