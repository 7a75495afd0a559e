-- AlterTable
ALTER TABLE "pods" ADD COLUMN     "gang_name" TEXT,
ADD COLUMN     "gang_size" INTEGER;

-- CreateIndex
CREATE INDEX "pods_project_id_gang_name_idx" ON "pods"("project_id", "gang_name");
