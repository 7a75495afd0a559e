-- AlterTable
ALTER TABLE "pods" ADD COLUMN     "registry_credentials" JSONB;
