-- AlterTable
ALTER TABLE "buckets" ADD COLUMN     "tags" JSONB NOT NULL DEFAULT '[]';

-- Pairs of a name and a value, in the order in which they were sent.
ALTER TABLE object_versions ADD COLUMN tags jsonb;
ALTER TABLE object_uploads ADD COLUMN tags jsonb;
