-- AlterEnum
ALTER TYPE "PodKind" ADD VALUE 'function';

-- AlterTable
ALTER TABLE "functions" ADD COLUMN "runtime" TEXT NOT NULL DEFAULT 'javascript',
ADD COLUMN "image" TEXT,
ADD COLUMN "memory_mb" INTEGER;

-- CreateTable
CREATE TABLE "function_pods" (
    "id" TEXT NOT NULL,
    "function_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "function_pods_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "function_pods_function_id_version_id_idx" ON "function_pods"("function_id", "version", "id");
