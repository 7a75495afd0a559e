-- CreateTable
CREATE TABLE "gpu_pools" (
    "pool" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "gpu_pools_pkey" PRIMARY KEY ("pool")
);

-- CreateTable
CREATE TABLE "gpu_nodes" (
    "pool" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "gpus" INTEGER NOT NULL,
    "cpu_milli" INTEGER NOT NULL,
    "memory_mib" INTEGER NOT NULL,
    "domain" TEXT,
    "version" BIGINT NOT NULL,
    "cordoned_at" TIMESTAMPTZ(3),
    "cordon_reason" TEXT,
    "drains" BOOLEAN NOT NULL DEFAULT false,
    "simulated" BOOLEAN NOT NULL,

    CONSTRAINT "gpu_nodes_pkey" PRIMARY KEY ("pool","node")
);

-- CreateIndex
CREATE INDEX "gpu_nodes_pool_version_idx" ON "gpu_nodes"("pool", "version");
