-- AlterTable
ALTER TABLE "pod_runners" ADD COLUMN     "disk_mb" INTEGER;
