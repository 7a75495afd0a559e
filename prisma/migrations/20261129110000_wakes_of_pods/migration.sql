-- What makes rounds due that place pods and look after machines.

CREATE TRIGGER "pods_wake_pods_insert" AFTER INSERT ON "pods" FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');
CREATE TRIGGER "pods_wake_pods_update" AFTER UPDATE ON "pods"
  FOR EACH ROW WHEN (NEW."status" IS DISTINCT FROM OLD."status" OR NEW."deleted_at" IS DISTINCT FROM OLD."deleted_at"
    OR NEW."run_number" IS DISTINCT FROM OLD."run_number" OR NEW."network_address" IS DISTINCT FROM OLD."network_address"
    OR NEW."stop_requested_at" IS DISTINCT FROM OLD."stop_requested_at" OR NEW."expires_at" < OLD."expires_at")
  EXECUTE FUNCTION wake_rounds('pods');
CREATE TRIGGER "pod_runs_wake_insert" AFTER INSERT ON "pod_runs" FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');
-- Not for what is written while a run goes on, such as when it was last seen.
CREATE TRIGGER "pod_runs_wake_update" AFTER UPDATE ON "pod_runs"
  FOR EACH ROW WHEN (NEW."runner_id" IS DISTINCT FROM OLD."runner_id" OR NEW."ended_at" IS DISTINCT FROM OLD."ended_at"
    OR NEW."notice_at" IS DISTINCT FROM OLD."notice_at" OR NEW."reclaim_at" IS DISTINCT FROM OLD."reclaim_at")
  EXECUTE FUNCTION wake_rounds('pods');
CREATE TRIGGER "pod_checkpoints_wake" AFTER INSERT ON "pod_checkpoints"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');

CREATE TRIGGER "network_gateways_wake" AFTER INSERT OR UPDATE OR DELETE ON "network_gateways"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');
CREATE TRIGGER "shared_volumes_wake_insert" AFTER INSERT ON "shared_volumes"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');
CREATE TRIGGER "shared_volumes_wake_update" AFTER UPDATE ON "shared_volumes"
  FOR EACH ROW WHEN (NEW."state" IS DISTINCT FROM OLD."state" OR NEW."capacity_gb" IS DISTINCT FROM OLD."capacity_gb"
    OR NEW."throughput_mbps" IS DISTINCT FROM OLD."throughput_mbps" OR NEW."failure" IS DISTINCT FROM OLD."failure"
    OR NEW."runner_id" IS DISTINCT FROM OLD."runner_id")
  EXECUTE FUNCTION wake_rounds('pods');
CREATE TRIGGER "volume_snapshots_wake" AFTER INSERT ON "volume_snapshots"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');

CREATE TRIGGER "gpu_nodes_wake_pods" AFTER UPDATE OF "drains" ON "gpu_nodes"
  FOR EACH ROW WHEN (NEW."drains" IS DISTINCT FROM OLD."drains") EXECUTE FUNCTION wake_rounds('pods');
CREATE TRIGGER "joined_nodes_wake" AFTER INSERT OR DELETE ON "joined_nodes"
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('nodes', 'pods');
CREATE TRIGGER "joined_nodes_wake_update" AFTER UPDATE ON "joined_nodes"
  FOR EACH ROW WHEN (NEW."generation" IS DISTINCT FROM OLD."generation"
    OR NEW."restart_boot_id" IS DISTINCT FROM OLD."restart_boot_id"
    OR NEW."upgrade_state" IS DISTINCT FROM OLD."upgrade_state")
  EXECUTE FUNCTION wake_rounds('nodes', 'pods');
