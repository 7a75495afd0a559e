-- CreateEnum
CREATE TYPE "NetworkChoice" AS ENUM ('all', 'approved', 'own');

-- CreateEnum
CREATE TYPE "AdvertiserReview" AS ENUM ('unreviewed', 'pending', 'approved', 'rejected');

-- CreateEnum
CREATE TYPE "BalanceEntryKind" AS ENUM ('credit', 'adjustment', 'refund');

-- DropIndex
DROP INDEX "advertisers_tenant_id_id_idx";

-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "approved_advertisers" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "network" "NetworkChoice" NOT NULL DEFAULT 'all';

-- AlterTable
ALTER TABLE "advertisers" ADD COLUMN     "copied_from" TEXT,
ADD COLUMN     "domain_token" TEXT NOT NULL DEFAULT replace((gen_random_uuid())::text, '-'::text, ''::text),
ADD COLUMN     "domain_verified_at" TIMESTAMPTZ(3),
ADD COLUMN     "mode" "Mode" NOT NULL DEFAULT 'live',
ADD COLUMN     "review" "AdvertiserReview" NOT NULL DEFAULT 'unreviewed',
ADD COLUMN     "review_note" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "reviewed_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "tenant_balances" (
    "tenant_id" TEXT NOT NULL,
    "credited_nanos" BIGINT NOT NULL DEFAULT 0,
    "spent_nanos" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "tenant_balances_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateTable
CREATE TABLE "balance_entries" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "kind" "BalanceEntryKind" NOT NULL,
    "amount_nanos" BIGINT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "actor" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "balance_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "balance_entries_tenant_id_id_idx" ON "balance_entries"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "advertisers_tenant_id_mode_id_idx" ON "advertisers"("tenant_id", "mode", "id");

-- CreateIndex
CREATE INDEX "advertisers_copied_from_idx" ON "advertisers"("copied_from");

-- AddForeignKey
ALTER TABLE "tenant_balances" ADD CONSTRAINT "tenant_balances_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is outside Prisma's schema.

ALTER TABLE "tenant_balances" ADD CONSTRAINT "tenant_balances_spent_check" CHECK ("spent_nanos" >= 0 AND "credited_nanos" >= 0);
ALTER TABLE "balance_entries" ADD CONSTRAINT "balance_entries_amount_check" CHECK ("amount_nanos" <> 0);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

CREATE TRIGGER balance_entries_append_only BEFORE UPDATE OR DELETE ON "balance_entries"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER balance_entries_no_truncate BEFORE TRUNCATE ON "balance_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- An advertiser of test campaigns alone becomes a test one. One that has campaigns of both modes stays live, and a copy
-- takes its test campaigns over; test channels that block it by its id block the copy too.
UPDATE "advertisers" a SET "mode" = 'test'
WHERE EXISTS (SELECT FROM "campaigns" c WHERE c."advertiser_id" = a."id" AND c."mode" = 'test')
  AND NOT EXISTS (SELECT FROM "campaigns" c WHERE c."advertiser_id" = a."id" AND c."mode" = 'live');

INSERT INTO "advertisers" ("id", "tenant_id", "mode", "name", "domain", "icon_url", "copied_from", "created_at", "updated_at", "archived_at")
SELECT left(a."id", 14) || left(md5(a."id" || gen_random_uuid()::text), 16), a."tenant_id", 'test', a."name", a."domain",
  a."icon_url", a."id", a."created_at", a."updated_at", a."archived_at"
FROM "advertisers" a
WHERE a."mode" = 'live' AND EXISTS (SELECT FROM "campaigns" c WHERE c."advertiser_id" = a."id" AND c."mode" = 'test');

UPDATE "campaigns" c SET "advertiser_id" = copy."id" FROM "advertisers" copy
WHERE copy."copied_from" = c."advertiser_id" AND c."mode" = 'test';

UPDATE "channels" ch
SET "blocked_advertisers" = ch."blocked_advertisers" || ARRAY(
  SELECT copy."id" FROM "advertisers" copy WHERE copy."copied_from" = ANY (ch."blocked_advertisers"))
WHERE ch."mode" = 'test'
  AND EXISTS (SELECT FROM "advertisers" copy WHERE copy."copied_from" = ANY (ch."blocked_advertisers"));
