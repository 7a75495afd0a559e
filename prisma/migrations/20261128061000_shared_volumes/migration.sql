-- File systems that several pods mount, what they held room for over time, and snapshots of them.
CREATE TYPE "SharedVolumeState" AS ENUM ('making', 'made', 'lost', 'deleting');
CREATE TABLE "shared_volumes" (
  "id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "mode" "Mode" NOT NULL,
  "runner_id" TEXT NOT NULL,
  "capacity_gb" INTEGER NOT NULL,
  "made_gb" INTEGER,
  "throughput_mbps" INTEGER,
  "limited_mbps" INTEGER,
  "throughput_enforced" BOOLEAN NOT NULL DEFAULT false,
  "snapshot_id" TEXT,
  "subnet_id" TEXT,
  "state" "SharedVolumeState" NOT NULL,
  "failure" JSONB,
  "suspended_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "shared_volumes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "shared_volumes_tenant_id_idx" ON "shared_volumes" ("tenant_id");
CREATE INDEX "shared_volumes_runner_id_state_idx" ON "shared_volumes" ("runner_id", "state");
CREATE TABLE "shared_volume_capacities" (
  "volume_id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "mode" "Mode" NOT NULL,
  "capacity_gb" INTEGER NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "shared_volume_capacities_pkey" PRIMARY KEY ("volume_id", "started_at")
);
CREATE INDEX "shared_volume_capacities_tenant_id_mode_ended_at_idx" ON "shared_volume_capacities" ("tenant_id", "mode", "ended_at");
CREATE TABLE "volume_snapshots" (
  "id" TEXT NOT NULL,
  "volume_id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "mode" "Mode" NOT NULL,
  "capacity_gb" INTEGER NOT NULL,
  "state" "CheckpointState" NOT NULL,
  "reason_code" TEXT,
  "reason_text" TEXT,
  "size_bytes" BIGINT,
  "stored_bytes" BIGINT NOT NULL DEFAULT 0,
  "blob" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "saved_at" TIMESTAMPTZ(3),
  CONSTRAINT "volume_snapshots_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "volume_snapshots_volume_id_id_idx" ON "volume_snapshots" ("volume_id", "id");
CREATE INDEX "volume_snapshots_tenant_id_idx" ON "volume_snapshots" ("tenant_id");
CREATE INDEX "volume_snapshots_state_idx" ON "volume_snapshots" ("state");
ALTER TABLE "pods" ADD COLUMN "mounts" JSONB NOT NULL DEFAULT '[]';
CREATE INDEX "pods_mounts_idx" ON "pods" USING GIN ("mounts" jsonb_path_ops);
ALTER TABLE "pod_runners" ADD COLUMN "limits_volumes" BOOLEAN NOT NULL DEFAULT false;
