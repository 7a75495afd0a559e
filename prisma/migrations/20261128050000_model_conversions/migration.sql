-- Conversions of models, which workers run in the background.
CREATE TABLE "model_conversions" (
  "id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "generation" INTEGER NOT NULL,
  "request" JSONB NOT NULL,
  "paused" BOOLEAN NOT NULL,
  "progress" JSONB,
  "result" JSONB,
  "failure" JSONB,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "claim" TEXT,
  "claimed_until" TIMESTAMPTZ(3),
  "started_at" TIMESTAMPTZ(3),
  "finished_at" TIMESTAMPTZ(3),
  CONSTRAINT "model_conversions_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "model_conversions_finished_at_claimed_until_idx" ON "model_conversions" ("finished_at", "claimed_until");
