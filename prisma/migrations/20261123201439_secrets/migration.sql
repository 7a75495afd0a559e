-- CreateTable
CREATE TABLE "master_keys" (
    "version" INTEGER NOT NULL,
    "salt" TEXT NOT NULL,
    "check_value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "master_keys_pkey" PRIMARY KEY ("version")
);

-- CreateTable
CREATE TABLE "secrets" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secret_versions" (
    "secret_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sealed_value" TEXT NOT NULL,
    "wrapped_key" TEXT NOT NULL,
    "master_key_version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secret_versions_pkey" PRIMARY KEY ("secret_id","number")
);

-- CreateIndex
CREATE INDEX "secrets_tenant_id_mode_id_idx" ON "secrets"("tenant_id", "mode", "id");

-- CreateIndex
CREATE INDEX "secret_versions_master_key_version_idx" ON "secret_versions"("master_key_version");

-- AddForeignKey
ALTER TABLE "secret_versions" ADD CONSTRAINT "secret_versions_secret_id_fkey" FOREIGN KEY ("secret_id") REFERENCES "secrets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Prisma cannot express NULLS NOT DISTINCT. A name identifies one secret of a project, or of the whole tenant.
CREATE UNIQUE INDEX "secrets_name_idx" ON "secrets"("tenant_id", "project_id", "mode", "name") NULLS NOT DISTINCT;
