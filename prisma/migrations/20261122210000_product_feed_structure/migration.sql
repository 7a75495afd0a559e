-- Nullable and without defaults, so that no row is rewritten, and processes of the version before this one, which run
-- beside it during an upgrade, read and write products as before.

-- AlterTable
ALTER TABLE "products" ADD COLUMN     "google_product_category" TEXT,
ADD COLUMN     "item_group_id" TEXT,
ADD COLUMN     "sale_ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "sale_starts_at" TIMESTAMPTZ(3);
