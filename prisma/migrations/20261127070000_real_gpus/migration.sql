-- GPUs of machines, besides the simulated fleet. The table of nodes is small, so these statements are short.
ALTER TABLE "joined_nodes" ADD COLUMN "region" TEXT NOT NULL DEFAULT 'use';
ALTER TABLE "pod_runners" ADD COLUMN "gpus" JSONB;
ALTER TABLE "gpu_nodes"
  ADD COLUMN "runner_id" TEXT,
  ADD COLUMN "gpu_uuids" TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN "withheld" INTEGER[] NOT NULL DEFAULT '{}';
