-- CreateEnum
CREATE TYPE "ObjectOwnership" AS ENUM ('BucketOwnerEnforced', 'BucketOwnerPreferred', 'ObjectWriter');

-- AlterTable
ALTER TABLE "buckets" ADD COLUMN     "acl" JSONB,
ADD COLUMN     "object_ownership" "ObjectOwnership" NOT NULL DEFAULT 'ObjectWriter';

-- The tenant that owns a version and the grants of its access list; null: the bucket's tenant, and no list of its own.
ALTER TABLE object_versions ADD COLUMN access jsonb;
-- What the version of a multipart upload will have; its owner has begun it.
ALTER TABLE object_uploads ADD COLUMN access jsonb;
