-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "archived_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "allowed_addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "previous_hash" TEXT,
ADD COLUMN     "previous_until" TIMESTAMPTZ(3),
ADD COLUMN     "rotated_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "refresh_families" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "address_hash" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refresh_families_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "hash" TEXT NOT NULL,
    "family_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "sealed_secret" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "quotas" (
    "tenant_id" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "limit" BIGINT NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "quotas_pkey" PRIMARY KEY ("tenant_id","resource")
);

-- CreateTable
CREATE TABLE "settings" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "audit_heads" (
    "tenant_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_heads_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "tenant_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "targets" JSONB NOT NULL,
    "context" JSONB NOT NULL,
    "details" JSONB NOT NULL,
    "previous_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("tenant_id","sequence")
);

-- CreateTable
CREATE TABLE "idempotent_answers" (
    "tenant_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "sealed_body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_answers_pkey" PRIMARY KEY ("tenant_id","hash")
);

-- CreateIndex
CREATE INDEX "refresh_families_user_id_idx" ON "refresh_families"("user_id");

-- CreateIndex
CREATE INDEX "refresh_families_expires_at_idx" ON "refresh_families"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_tokens_family_id_idx" ON "refresh_tokens"("family_id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entries_id_key" ON "audit_entries"("id");

-- CreateIndex
CREATE INDEX "idempotent_answers_created_at_idx" ON "idempotent_answers"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_previous_hash_key" ON "api_keys"("previous_hash");

-- AddForeignKey
ALTER TABLE "refresh_families" ADD CONSTRAINT "refresh_families_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_families" ADD CONSTRAINT "refresh_families_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_family_id_fkey" FOREIGN KEY ("family_id") REFERENCES "refresh_families"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quotas" ADD CONSTRAINT "quotas_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the audit log says stays: nothing but an append is possible, short of the owner's switching this off.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_entries is append-only';
END $$;

CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON "audit_entries"
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON "audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
