-- CreateEnum
CREATE TYPE "RunOrigin" AS ENUM ('image', 'files', 'checkpoint');

-- CreateEnum
CREATE TYPE "CheckpointState" AS ENUM ('saving', 'saved', 'failed');

-- CreateEnum
CREATE TYPE "CheckpointCause" AS ENUM ('request', 'reclaim');

-- AlterTable
ALTER TABLE "pods" ADD COLUMN     "checkpoint_bytes" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "pod_runs" ADD COLUMN     "checkpoint_id" TEXT,
ADD COLUMN     "files_text" TEXT,
ADD COLUMN     "origin" "RunOrigin" NOT NULL DEFAULT 'image';

-- CreateTable
CREATE TABLE "pod_checkpoints" (
    "id" TEXT NOT NULL,
    "pod_id" TEXT NOT NULL,
    "run" INTEGER NOT NULL,
    "cause" "CheckpointCause" NOT NULL,
    "state" "CheckpointState" NOT NULL,
    "reason_code" TEXT,
    "reason_text" TEXT,
    "size_bytes" BIGINT,
    "new_bytes" BIGINT NOT NULL DEFAULT 0,
    "chunks" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "saved_at" TIMESTAMPTZ(3),

    CONSTRAINT "pod_checkpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pod_chunks" (
    "id" TEXT NOT NULL,
    "pod_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "stored_bytes" INTEGER NOT NULL,
    "codec" TEXT NOT NULL,

    CONSTRAINT "pod_chunks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "pod_checkpoints_pod_id_id_idx" ON "pod_checkpoints"("pod_id", "id");

-- CreateIndex
CREATE INDEX "pod_checkpoints_state_idx" ON "pod_checkpoints"("state");

-- CreateIndex
CREATE UNIQUE INDEX "pod_chunks_pod_id_digest_key" ON "pod_chunks"("pod_id", "digest");

-- AddForeignKey
ALTER TABLE "pod_checkpoints" ADD CONSTRAINT "pod_checkpoints_pod_id_fkey" FOREIGN KEY ("pod_id") REFERENCES "pods"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
