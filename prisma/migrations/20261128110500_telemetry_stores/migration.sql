-- Secrets that the creation of a resource returns once, as hashes, and stores of telemetry.
ALTER TABLE "resources" ADD COLUMN "secret_hashes" JSONB NOT NULL DEFAULT '{}';
CREATE TABLE "telemetry_stores" (
  "id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "signal" TEXT NOT NULL,
  "token_hash" TEXT NOT NULL,
  "retention_days" INTEGER NOT NULL,
  "suspended" BOOLEAN NOT NULL,
  "removing_since" TIMESTAMPTZ(3),
  CONSTRAINT "telemetry_stores_pkey" PRIMARY KEY ("id")
);
