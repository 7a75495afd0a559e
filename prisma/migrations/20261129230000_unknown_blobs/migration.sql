-- Blobs that no object has, such as those stored since the backup from which a database was restored.
CREATE TABLE "unknown_blobs" (
  "name" text PRIMARY KEY,
  "found_at" timestamptz(3) NOT NULL,
  "seen_at" timestamptz(3) NOT NULL
);

-- How many there are is listed with what else has no record.
CREATE INDEX "unknown_blobs_seen_at_idx" ON "unknown_blobs" ("seen_at");
