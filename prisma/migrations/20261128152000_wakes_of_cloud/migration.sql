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

CREATE TRIGGER "functions_wake_insert" AFTER INSERT ON "functions"
  FOR EACH ROW WHEN (NEW."next_run_at" IS NOT NULL) EXECUTE FUNCTION wake_rounds('functions');
CREATE TRIGGER "functions_wake_update" AFTER UPDATE OF "next_run_at" ON "functions"
  FOR EACH ROW WHEN (NEW."next_run_at" < OLD."next_run_at" OR (OLD."next_run_at" IS NULL AND NEW."next_run_at" IS NOT NULL))
  EXECUTE FUNCTION wake_rounds('functions');
CREATE TRIGGER "function_invocations_wake_insert" AFTER INSERT ON "function_invocations"
  FOR EACH ROW WHEN (NEW."status" = 'queued') EXECUTE FUNCTION wake_rounds('functions');
-- One that ends leaves its place to the next one of its function, in whichever process.
CREATE TRIGGER "function_invocations_wake_update" AFTER UPDATE OF "status" ON "function_invocations"
  FOR EACH ROW WHEN (NEW."status" = 'queued' OR (OLD."status" = 'running' AND NEW."status" <> 'running'))
  EXECUTE FUNCTION wake_rounds('functions');
