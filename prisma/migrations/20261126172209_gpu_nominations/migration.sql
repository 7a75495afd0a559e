-- CreateTable
CREATE TABLE "gpu_nominations" (
    "pool" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "device" INTEGER NOT NULL,
    "run_id" TEXT NOT NULL,

    CONSTRAINT "gpu_nominations_pkey" PRIMARY KEY ("pool","node","device")
);

-- CreateIndex
CREATE INDEX "gpu_nominations_run_id_idx" ON "gpu_nominations"("run_id");
