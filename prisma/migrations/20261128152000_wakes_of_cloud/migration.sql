-- What makes rounds of the cloud products due.

CREATE TRIGGER "events_wake" AFTER INSERT ON "events"
  FOR EACH ROW WHEN (NEW."dispatched_at" IS NULL) EXECUTE FUNCTION wake_rounds('webhooks');
CREATE TRIGGER "webhook_deliveries_wake_insert" AFTER INSERT ON "webhook_deliveries"
  FOR EACH ROW WHEN (NEW."next_attempt_at" IS NOT NULL AND NEW."claim" IS NULL) EXECUTE FUNCTION wake_rounds('webhooks');
-- A claim postpones a delivery to when the claim counts as lost, which needs no round.
CREATE TRIGGER "webhook_deliveries_wake_update" AFTER UPDATE OF "next_attempt_at" ON "webhook_deliveries"
  FOR EACH ROW WHEN (NEW."next_attempt_at" IS DISTINCT FROM OLD."next_attempt_at"
    AND NEW."next_attempt_at" IS NOT NULL AND NEW."claim" IS NULL)
  EXECUTE FUNCTION wake_rounds('webhooks');
CREATE TRIGGER "webhooks_wake" AFTER UPDATE OF "status" ON "webhooks"
  FOR EACH ROW WHEN (NEW."status" = 'enabled' AND OLD."status" IS DISTINCT FROM NEW."status")
  EXECUTE FUNCTION wake_rounds('webhooks');
