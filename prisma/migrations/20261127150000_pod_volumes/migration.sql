-- Volumes of pods, their parts of checkpoints, and which machines can keep them. No column has a default that rewrites rows.
ALTER TABLE "pods" ADD COLUMN "volume_gb" INTEGER;
ALTER TABLE "pods" ADD COLUMN "volume_path" TEXT;
ALTER TABLE "pods" ADD COLUMN "volume_enforced" BOOLEAN;
ALTER TABLE "pod_runs" ADD COLUMN "volume_id" TEXT;
ALTER TABLE "pod_checkpoints" ADD COLUMN "volume_bytes" BIGINT;
ALTER TABLE "pod_checkpoints" ADD COLUMN "volume_chunks" TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE "pod_runners" ADD COLUMN "keeps_volumes" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "pod_runners" ADD COLUMN "volumes_gb" INTEGER;
-- The runs of which a machine has files, which are few.
CREATE INDEX "pod_runs_kept_idx" ON "pod_runs" ("pod_id", "runner_id") WHERE "removed_at" IS NULL;
