-- Volumes on machines that no record names, such as those made since the backup from which a database was restored.
CREATE TABLE "unknown_volumes" (
  "runner_id" text NOT NULL,
  "id" text NOT NULL,
  "kind" text NOT NULL,
  "found_at" timestamptz(3) NOT NULL,
  PRIMARY KEY ("runner_id", "id")
);
