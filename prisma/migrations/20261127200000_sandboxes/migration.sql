-- Sandboxes: rows of pods of another kind, and what they have besides. No column has a default that rewrites rows.
CREATE TYPE "PodKind" AS ENUM ('pod', 'sandbox');
ALTER TABLE "pods" ADD COLUMN "kind" "PodKind" NOT NULL DEFAULT 'pod';
ALTER TABLE "pods" ADD COLUMN "seconds_max" INTEGER;
CREATE TABLE "sandboxes" (
  "id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "command" JSONB,
  "keep_alive" BOOLEAN NOT NULL,
  "command_claimed_at" TIMESTAMPTZ(3),
  "command_ended_at" TIMESTAMPTZ(3),
  "exit_code" INTEGER,
  "exit_signal" TEXT,
  "timed_out" BOOLEAN,
  "output" BYTEA,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "sandboxes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "sandboxes_open_idx" ON "sandboxes" ("id") WHERE "ended_at" IS NULL;
CREATE INDEX "sandboxes_output_idx" ON "sandboxes" ("command_ended_at") WHERE "output" IS NOT NULL;
