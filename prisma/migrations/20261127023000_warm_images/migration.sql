-- AlterTable
ALTER TABLE "pod_runs" ADD COLUMN "placed_at" TIMESTAMPTZ(3),
ADD COLUMN "pulled_bytes" BIGINT;

-- CreateIndex
CREATE INDEX "pod_runs_started_at_idx" ON "pod_runs"("started_at");

-- CreateTable
CREATE TABLE "warm_images" (
    "runner_id" TEXT NOT NULL,
    "image" TEXT NOT NULL,
    "demand" DOUBLE PRECISION NOT NULL,
    "bytes" BIGINT,
    "ready_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "retry_at" TIMESTAMPTZ(3),

    CONSTRAINT "warm_images_pkey" PRIMARY KEY ("runner_id","image")
);
