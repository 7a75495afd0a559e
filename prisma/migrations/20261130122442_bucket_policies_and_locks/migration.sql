-- CreateEnum
CREATE TYPE "BucketEncryption" AS ENUM ('none', 'AES256');

-- AlterTable
ALTER TABLE "buckets" ADD COLUMN     "encryption" "BucketEncryption" NOT NULL DEFAULT 'none',
ADD COLUMN     "object_lock" JSONB,
ADD COLUMN     "policy" TEXT,
ADD COLUMN     "public_access_block" JSONB;

-- How a version is encrypted, with the data key of its bytes, which is wrapped itself; null: not at all.
ALTER TABLE object_versions ADD COLUMN encryption jsonb;
-- Until when a version cannot be deleted, and whether some may do so nevertheless; a legal hold has no end.
ALTER TABLE object_versions ADD COLUMN lock_mode text;
ALTER TABLE object_versions ADD COLUMN lock_until timestamptz(3);
ALTER TABLE object_versions ADD COLUMN legal_hold boolean NOT NULL DEFAULT false;
-- What the version of a multipart upload will have.
ALTER TABLE object_uploads ADD COLUMN encryption jsonb;
ALTER TABLE object_uploads ADD COLUMN lock jsonb;
