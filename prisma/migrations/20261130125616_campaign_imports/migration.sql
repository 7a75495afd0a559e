-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "importing_since" TIMESTAMPTZ(3);
