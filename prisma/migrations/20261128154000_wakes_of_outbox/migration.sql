-- What makes the outbox due.

-- Impressions and clicks come from claims, whose process announces them: a notification at each commit would make the
-- commits of all processes wait for each other.
CREATE TRIGGER "outbox_wake" AFTER INSERT ON "outbox"
  FOR EACH ROW WHEN (NEW."table" NOT IN ('impressions', 'clicks')) EXECUTE FUNCTION wake_rounds('outbox');
-- Simulated traffic comes with everything that its days wrote.
CREATE TRIGGER "simulated_traffic_wake" AFTER UPDATE OF "written_to" ON "simulated_traffic"
  FOR EACH ROW WHEN (NEW."written_to" IS DISTINCT FROM OLD."written_to") EXECUTE FUNCTION wake_rounds('outbox');
