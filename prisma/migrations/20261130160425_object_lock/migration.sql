-- AlterTable
ALTER TABLE "buckets" ADD COLUMN     "object_lock" JSONB;

-- Until when a version can not be deleted, with the mode that says who can shorten it, and whether it is held beyond
-- that; null: nothing was ever set.
ALTER TABLE object_versions ADD COLUMN retention_mode text;
ALTER TABLE object_versions ADD COLUMN retain_until timestamptz(3);
ALTER TABLE object_versions ADD COLUMN legal_hold boolean;
-- Whether anything in a bucket is locked.
CREATE INDEX object_versions_retain_until_idx ON object_versions (bucket_id, retain_until)
  WHERE (retain_until IS NOT NULL);
CREATE INDEX object_versions_legal_hold_idx ON object_versions (bucket_id) WHERE (legal_hold);
-- What the version of a multipart upload will have.
ALTER TABLE object_uploads ADD COLUMN lock jsonb;
