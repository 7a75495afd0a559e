-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('owner', 'admin', 'member');

-- CreateEnum
CREATE TYPE "Mode" AS ENUM ('test', 'live');

-- CreateEnum
CREATE TYPE "TokenKind" AS ENUM ('verify_email', 'reset_password');

-- CreateEnum
CREATE TYPE "ChannelKeyKind" AS ENUM ('server', 'browser');

-- CreateEnum
CREATE TYPE "PriceModel" AS ENUM ('cpc', 'cpm');

-- CreateEnum
CREATE TYPE "CampaignStatus" AS ENUM ('draft', 'active', 'paused', 'ended');

-- CreateEnum
CREATE TYPE "Reach" AS ENUM ('tenant', 'network');

-- CreateEnum
CREATE TYPE "Pacing" AS ENUM ('even', 'asap');

-- CreateTable
CREATE TABLE "tenants" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "is_demo" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "email_verified_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "user_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "role" "Role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("user_id","tenant_id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "address_hash" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth_tokens" (
    "hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "kind" "TokenKind" NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "auth_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "invitations" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT,
    "email" TEXT NOT NULL,
    "role" "Role" NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[],
    "hash" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "emails" (
    "id" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "emails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "channels" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "origins" TEXT[],
    "categories" TEXT[],
    "blocked_categories" TEXT[],
    "blocked_advertisers" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "channel_keys" (
    "id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "kind" "ChannelKeyKind" NOT NULL,
    "hash" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "channel_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "advertisers" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "domain" TEXT,
    "icon_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "advertisers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "campaigns" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "advertiser_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "model" "PriceModel" NOT NULL,
    "bid_micros" BIGINT NOT NULL,
    "daily_budget_micros" BIGINT,
    "total_budget_micros" BIGINT,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "pacing" "Pacing" NOT NULL DEFAULT 'even',
    "reach" "Reach" NOT NULL DEFAULT 'tenant',
    "status" "CampaignStatus" NOT NULL DEFAULT 'active',
    "caps" JSONB NOT NULL DEFAULT '[]',
    "targeting" JSONB NOT NULL DEFAULT '{}',
    "keywords" JSONB NOT NULL DEFAULT '[]',
    "attribution" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "creatives" (
    "id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "cta" TEXT NOT NULL,
    "landing_url" TEXT NOT NULL,
    "brand" JSONB,
    "product" JSONB,
    "price" JSONB,
    "rating" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "creatives_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "products" (
    "id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "link" TEXT NOT NULL,
    "image_link" TEXT,
    "brand" TEXT,
    "gtin" TEXT,
    "category" TEXT,
    "availability" TEXT NOT NULL DEFAULT 'in_stock',
    "currency" TEXT,
    "price" DECIMAL(14,4),
    "original_price" DECIMAL(14,4),
    "rating" JSONB,
    "details" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "products_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signals" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "subject_key" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "confidence" DOUBLE PRECISION NOT NULL,
    "subject" TEXT NOT NULL,
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "iab" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "signals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "projects_tenant_id_idx" ON "projects"("tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "memberships_tenant_id_idx" ON "memberships"("tenant_id");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "auth_tokens_user_id_kind_idx" ON "auth_tokens"("user_id", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- CreateIndex
CREATE INDEX "invitations_tenant_id_idx" ON "invitations"("tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_project_id_idx" ON "api_keys"("project_id");

-- CreateIndex
CREATE INDEX "api_keys_tenant_id_created_at_idx" ON "api_keys"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "emails_created_at_idx" ON "emails"("created_at");

-- CreateIndex
CREATE INDEX "channels_tenant_id_mode_id_idx" ON "channels"("tenant_id", "mode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "channel_keys_hash_key" ON "channel_keys"("hash");

-- CreateIndex
CREATE INDEX "channel_keys_channel_id_id_idx" ON "channel_keys"("channel_id", "id");

-- CreateIndex
CREATE INDEX "advertisers_tenant_id_id_idx" ON "advertisers"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "campaigns_tenant_id_mode_id_idx" ON "campaigns"("tenant_id", "mode", "id");

-- CreateIndex
CREATE INDEX "campaigns_advertiser_id_idx" ON "campaigns"("advertiser_id");

-- CreateIndex
CREATE INDEX "creatives_campaign_id_id_idx" ON "creatives"("campaign_id", "id");

-- CreateIndex
CREATE INDEX "products_campaign_id_id_idx" ON "products"("campaign_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "products_campaign_id_external_id_key" ON "products"("campaign_id", "external_id");

-- CreateIndex
CREATE INDEX "signals_subject_key_created_at_idx" ON "signals"("subject_key", "created_at");

-- CreateIndex
CREATE INDEX "signals_created_at_idx" ON "signals"("created_at");

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth_tokens" ADD CONSTRAINT "auth_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_keys" ADD CONSTRAINT "channel_keys_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "advertisers" ADD CONSTRAINT "advertisers_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_advertiser_id_fkey" FOREIGN KEY ("advertiser_id") REFERENCES "advertisers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "creatives" ADD CONSTRAINT "creatives_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is outside Prisma's schema: partitions, queues and triggers.

-- One row an offer. The id is a UUIDv7, so a day is a range of ids and old days are dropped whole; partitions.ts makes
-- the partitions. Room is left in each page, so that marking an offer as seen stays in its page (a HOT update).
CREATE TABLE "offers" (
    "id" UUID NOT NULL PRIMARY KEY,
    "request_id" UUID NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "mode" TEXT NOT NULL CHECK ("mode" IN ('test', 'live')),
    "buyer_tenant_id" TEXT NOT NULL,
    "advertiser_id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "creative_id" TEXT NOT NULL DEFAULT '',
    "product_id" TEXT NOT NULL DEFAULT '',
    "model" TEXT NOT NULL CHECK ("model" IN ('cpc', 'cpm')),
    "price_nanos" BIGINT NOT NULL CHECK ("price_nanos" >= 0),
    "house" BOOLEAN NOT NULL DEFAULT false,
    "landing_url" TEXT NOT NULL,
    "placement" TEXT NOT NULL DEFAULT '',
    "geo" TEXT NOT NULL DEFAULT '',
    "device" TEXT NOT NULL DEFAULT '',
    "locale" TEXT NOT NULL DEFAULT '',
    "user_key" TEXT NOT NULL DEFAULT '',
    "caps" JSONB,
    "seen_at" TIMESTAMPTZ(3),
    "clicked_at" TIMESTAMPTZ(3),
    "click_id" TEXT
) PARTITION BY RANGE ("id");

-- A conversion names a click, and nothing else.
CREATE INDEX "offers_click_id_idx" ON "offers"("click_id") WHERE "click_id" IS NOT NULL;

-- One row is one row of the ClickHouse table "table", written in the transaction of what it reports.
CREATE TABLE "outbox" (
    "seq" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "table" TEXT NOT NULL,
    "row" JSONB NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);

-- A frozen slice of the outbox on its way to ClickHouse: a retry sends the same rows (JSON, one a line) under the same token.
CREATE TABLE "outbox_slices" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "table" TEXT NOT NULL,
    "rows" TEXT NOT NULL
);

-- What a campaign has spent on a day, in nanos; debited in the transaction of the claim.
CREATE TABLE "campaign_spend" (
    "campaign_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "nanos" BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY ("campaign_id", "day")
) WITH (fillfactor = 80);

-- The catalog asks for rows whose transaction is newer than the oldest one that ran at its last look: a clock or a
-- sequence would miss rows of transactions that commit late.
CREATE FUNCTION set_change_xid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.change_xid := pg_current_xact_id();
    RETURN NEW;
END
$$;

ALTER TABLE "channels" ADD COLUMN "change_xid" XID8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX "channels_change_xid_idx" ON "channels"("change_xid");
CREATE TRIGGER "channels_change_xid" BEFORE INSERT OR UPDATE ON "channels" FOR EACH ROW EXECUTE FUNCTION set_change_xid();

ALTER TABLE "channel_keys" ADD COLUMN "change_xid" XID8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX "channel_keys_change_xid_idx" ON "channel_keys"("change_xid");
CREATE TRIGGER "channel_keys_change_xid" BEFORE INSERT OR UPDATE ON "channel_keys" FOR EACH ROW EXECUTE FUNCTION set_change_xid();

ALTER TABLE "advertisers" ADD COLUMN "change_xid" XID8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX "advertisers_change_xid_idx" ON "advertisers"("change_xid");
CREATE TRIGGER "advertisers_change_xid" BEFORE INSERT OR UPDATE ON "advertisers" FOR EACH ROW EXECUTE FUNCTION set_change_xid();

ALTER TABLE "campaigns" ADD COLUMN "change_xid" XID8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX "campaigns_change_xid_idx" ON "campaigns"("change_xid");
CREATE TRIGGER "campaigns_change_xid" BEFORE INSERT OR UPDATE ON "campaigns" FOR EACH ROW EXECUTE FUNCTION set_change_xid();

ALTER TABLE "creatives" ADD COLUMN "change_xid" XID8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX "creatives_change_xid_idx" ON "creatives"("change_xid");
CREATE TRIGGER "creatives_change_xid" BEFORE INSERT OR UPDATE ON "creatives" FOR EACH ROW EXECUTE FUNCTION set_change_xid();

ALTER TABLE "products" ADD COLUMN "change_xid" XID8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX "products_change_xid_idx" ON "products"("change_xid");
CREATE TRIGGER "products_change_xid" BEFORE INSERT OR UPDATE ON "products" FOR EACH ROW EXECUTE FUNCTION set_change_xid();
