-- AlterTable
ALTER TABLE "pod_runners" ADD COLUMN "address" TEXT;

-- CreateTable
CREATE TABLE "joined_nodes" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "epoch" BIGINT NOT NULL DEFAULT 0,
    "cpu" INTEGER NOT NULL,
    "memory_mb" INTEGER NOT NULL,
    "gpus" JSONB NOT NULL,
    "version" TEXT NOT NULL,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "joined_nodes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "joined_nodes_name_key" ON "joined_nodes"("name");
