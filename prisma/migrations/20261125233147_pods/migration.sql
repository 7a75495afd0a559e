-- CreateEnum
CREATE TYPE "PodStatus" AS ENUM ('pending', 'ready', 'stopping', 'stopped', 'completed', 'failed');

-- CreateTable
CREATE TABLE "pods" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "image" TEXT NOT NULL,
    "gpu" TEXT,
    "gpu_count" INTEGER NOT NULL,
    "region" TEXT,
    "cpu" INTEGER NOT NULL,
    "memory_mb" INTEGER NOT NULL,
    "command" JSONB,
    "env" JSONB NOT NULL,
    "labels" JSONB NOT NULL,
    "status" "PodStatus" NOT NULL,
    "reason_code" TEXT,
    "reason_text" TEXT,
    "exit_code" INTEGER,
    "exit_signal" TEXT,
    "oom_killed" BOOLEAN NOT NULL,
    "runtime" JSONB,
    "run_number" INTEGER NOT NULL,
    "price_nanos_per_hour" BIGINT NOT NULL,
    "metered_seconds" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "stop_requested_at" TIMESTAMPTZ(3),
    "stopped_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "pods_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pod_runs" (
    "id" TEXT NOT NULL,
    "pod_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "runner_id" TEXT,
    "pool" TEXT,
    "node" TEXT,
    "devices" INTEGER[],
    "sealed_secrets" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "observed_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "pod_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pod_usage" (
    "run_id" TEXT NOT NULL,
    "pod_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "from" TIMESTAMPTZ(3) NOT NULL,
    "to" TIMESTAMPTZ(3) NOT NULL,
    "seconds" INTEGER NOT NULL,
    "price_nanos_per_hour" BIGINT NOT NULL,

    CONSTRAINT "pod_usage_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "pod_timeline" (
    "pod_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "run" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pod_timeline_pkey" PRIMARY KEY ("pod_id","number")
);

-- CreateTable
CREATE TABLE "gpu_devices" (
    "pool" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "device" INTEGER NOT NULL,
    "run_id" TEXT NOT NULL,

    CONSTRAINT "gpu_devices_pkey" PRIMARY KEY ("pool","node","device")
);

-- CreateTable
CREATE TABLE "pod_runners" (
    "id" TEXT NOT NULL,
    "kind" TEXT,
    "isolation" TEXT,
    "limits_enforced" BOOLEAN NOT NULL,
    "reason" TEXT,
    "memory_mb" INTEGER NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pod_runners_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "pods_tenant_id_mode_id_idx" ON "pods"("tenant_id", "mode", "id");

-- CreateIndex
CREATE INDEX "pods_tenant_id_region_gpu_status_idx" ON "pods"("tenant_id", "region", "gpu", "status");

-- CreateIndex
CREATE INDEX "pods_status_idx" ON "pods"("status");

-- CreateIndex
CREATE INDEX "pod_runs_runner_id_ended_at_idx" ON "pod_runs"("runner_id", "ended_at");

-- CreateIndex
CREATE UNIQUE INDEX "pod_runs_pod_id_number_key" ON "pod_runs"("pod_id", "number");

-- CreateIndex
CREATE INDEX "pod_usage_tenant_id_mode_from_idx" ON "pod_usage"("tenant_id", "mode", "from");

-- CreateIndex
CREATE INDEX "gpu_devices_run_id_idx" ON "gpu_devices"("run_id");

-- AddForeignKey
ALTER TABLE "pod_runs" ADD CONSTRAINT "pod_runs_pod_id_fkey" FOREIGN KEY ("pod_id") REFERENCES "pods"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
