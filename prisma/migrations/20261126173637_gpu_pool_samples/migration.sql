-- CreateTable
CREATE TABLE "gpu_pool_samples" (
    "pool" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "gpus" INTEGER NOT NULL,
    "used_gpus" INTEGER NOT NULL,
    "scattered_gpus" INTEGER NOT NULL,

    CONSTRAINT "gpu_pool_samples_pkey" PRIMARY KEY ("pool","at")
);

-- CreateIndex
CREATE INDEX "gpu_pool_samples_at_idx" ON "gpu_pool_samples"("at");
