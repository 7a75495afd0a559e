-- CreateEnum
CREATE TYPE "BucketEncryption" AS ENUM ('none', 'AES256');

-- AlterTable
ALTER TABLE "buckets" ADD COLUMN     "encryption" "BucketEncryption" NOT NULL DEFAULT 'none',
ADD COLUMN     "policy" TEXT,
ADD COLUMN     "public_access_block" JSONB;

-- How a version is encrypted, with the data key of its bytes, which is wrapped itself; null: not at all.
ALTER TABLE object_versions ADD COLUMN encryption jsonb;
-- What the version of a multipart upload will have.
ALTER TABLE object_uploads ADD COLUMN encryption jsonb;
