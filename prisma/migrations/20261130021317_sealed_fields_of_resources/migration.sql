-- AlterTable
ALTER TABLE "resources" ADD COLUMN     "sealed" TEXT;
