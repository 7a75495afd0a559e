-- The default fills existing channels without a rewrite, and those that processes of the previous version create.

-- CreateEnum
CREATE TYPE "Strictness" AS ENUM ('relaxed', 'balanced', 'strict');

-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "strictness" "Strictness" NOT NULL DEFAULT 'balanced';
