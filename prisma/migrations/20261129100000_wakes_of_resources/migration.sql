-- What makes rounds due that look after resources, reservations, what runs in pods, long work on objects, and chat budgets.

CREATE TRIGGER "resources_wake_insert" AFTER INSERT ON "resources"
  FOR EACH ROW WHEN (NEW."next_at" IS NOT NULL) EXECUTE FUNCTION wake_rounds('resources');
-- A claim postpones a resource, which needs no round.
CREATE TRIGGER "resources_wake_update" AFTER UPDATE OF "next_at" ON "resources"
  FOR EACH ROW WHEN (NEW."next_at" < OLD."next_at" OR (OLD."next_at" IS NULL AND NEW."next_at" IS NOT NULL))
  EXECUTE FUNCTION wake_rounds('resources');
CREATE TRIGGER "resources_wake_inference" AFTER UPDATE OF "state", "failures" ON "resources"
  FOR EACH ROW WHEN (NEW."service" = 'inference' AND NEW."state" = 'ready'
    AND (OLD."state" IS DISTINCT FROM NEW."state" OR OLD."failures" IS DISTINCT FROM NEW."failures"))
  EXECUTE FUNCTION wake_rounds('inference');

CREATE TRIGGER "public_ports_wake_insert" AFTER INSERT ON "public_ports"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('public-ports');
-- Not for what the process that listens records.
CREATE TRIGGER "public_ports_wake_update" AFTER UPDATE OF "port", "target", "target_port", "ended_at" ON "public_ports"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('public-ports');

CREATE TRIGGER "reservations_wake_insert" AFTER INSERT ON "reservations"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('reservations');
CREATE TRIGGER "reservations_wake_update" AFTER UPDATE OF "status", "starts_at", "ends_at", "count" ON "reservations"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('reservations');
CREATE TRIGGER "pods_wake_reservations_insert" AFTER INSERT ON "pods"
  FOR EACH ROW WHEN (NEW."reservation_id" IS NOT NULL) EXECUTE FUNCTION wake_rounds('reservations');
CREATE TRIGGER "pods_wake_reservations_update" AFTER UPDATE OF "status" ON "pods"
  FOR EACH ROW WHEN (NEW."status" IS DISTINCT FROM OLD."status" AND (NEW."reservation_id" IS NOT NULL OR NEW."spot"))
  EXECUTE FUNCTION wake_rounds('reservations');
-- Reservations get other devices for those of nodes that accept no pods.
CREATE TRIGGER "gpu_nodes_wake_reservations" AFTER UPDATE OF "cordoned_at", "withheld" ON "gpu_nodes"
  FOR EACH ROW WHEN (NEW."cordoned_at" IS DISTINCT FROM OLD."cordoned_at" OR NEW."withheld" IS DISTINCT FROM OLD."withheld")
  EXECUTE FUNCTION wake_rounds('reservations');
CREATE TRIGGER "gpu_nodes_wake_cordons" AFTER UPDATE OF "cordon_source" ON "gpu_nodes"
  FOR EACH ROW WHEN (NEW."cordon_source" = 'tenant') EXECUTE FUNCTION wake_rounds('cordons');
CREATE TRIGGER "fleet_upgrades_wake" AFTER INSERT OR UPDATE ON "fleet_upgrades"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('upgrades');

CREATE TRIGGER "sandboxes_wake" AFTER INSERT ON "sandboxes"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('sandboxes');
CREATE TRIGGER "pods_wake_sandboxes" AFTER UPDATE OF "status" ON "pods"
  FOR EACH ROW WHEN (NEW."kind" = 'sandbox' AND NEW."status" IS DISTINCT FROM OLD."status")
  EXECUTE FUNCTION wake_rounds('sandboxes');
CREATE TRIGGER "workspaces_wake" AFTER UPDATE OF "idle_timeout_seconds" ON "workspaces"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('workspaces');
CREATE TRIGGER "pods_wake_workspaces" AFTER UPDATE OF "status" ON "pods"
  FOR EACH ROW WHEN (NEW."kind" = 'workspace' AND NEW."status" IS DISTINCT FROM OLD."status")
  EXECUTE FUNCTION wake_rounds('workspaces');

CREATE TRIGGER "model_conversions_wake_insert" AFTER INSERT ON "model_conversions"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('conversions');
-- Not for a lease that is extended.
CREATE TRIGGER "model_conversions_wake_update" AFTER UPDATE OF "paused", "finished_at", "claimed_until" ON "model_conversions"
  FOR EACH ROW WHEN (NEW."finished_at" IS NULL AND NOT NEW."paused"
    AND (OLD."paused" OR OLD."finished_at" IS NOT NULL OR NEW."claimed_until" IS NULL
      OR NEW."claimed_until" < OLD."claimed_until"))
  EXECUTE FUNCTION wake_rounds('conversions');
CREATE TRIGGER "shield_scans_wake_insert" AFTER INSERT ON "shield_scans"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('scans');
CREATE TRIGGER "shield_scans_wake_update" AFTER UPDATE OF "claimed_until" ON "shield_scans"
  FOR EACH ROW WHEN (NEW."finished_at" IS NULL
    AND (NEW."claimed_until" IS NULL OR NEW."claimed_until" < OLD."claimed_until"))
  EXECUTE FUNCTION wake_rounds('scans');

CREATE TRIGGER "chat_budgets_wake" AFTER INSERT OR UPDATE ON "chat_budgets"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('chat-budgets');
