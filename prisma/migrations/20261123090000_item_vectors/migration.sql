-- All of this is outside Prisma's schema. Processes of the version before this one ignore it.

-- The vectors of creatives and products, if EMBEDDINGS_URL is set.
CREATE TABLE "item_vectors" (
    "item_id" TEXT NOT NULL PRIMARY KEY,
    "campaign_id" TEXT NOT NULL REFERENCES "campaigns"("id") ON DELETE CASCADE,
    -- SHA-256 of the text that the vector is made of.
    "print" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    -- One signed byte per component; null: the service did not accept the text.
    "vector" BYTEA,
    -- change_xid of the item when its text was last read.
    "item_xid" XID8 NOT NULL,
    "change_xid" XID8 NOT NULL DEFAULT pg_current_xact_id()
);
-- Quantized vectors do not compress.
ALTER TABLE "item_vectors" ALTER COLUMN "vector" SET STORAGE EXTERNAL;
CREATE INDEX "item_vectors_campaign_id_idx" ON "item_vectors"("campaign_id");
CREATE INDEX "item_vectors_change_xid_idx" ON "item_vectors"("change_xid");
CREATE TRIGGER "item_vectors_change_xid" BEFORE INSERT OR UPDATE ON "item_vectors" FOR EACH ROW EXECUTE FUNCTION set_change_xid();
