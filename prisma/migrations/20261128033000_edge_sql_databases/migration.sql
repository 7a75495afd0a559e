-- AlterTable
ALTER TABLE "edge_functions" ADD COLUMN     "env" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "edge_versions" ADD COLUMN     "env" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "edge_sql_databases" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "sealed_password" TEXT NOT NULL,
    "is_ready" BOOLEAN NOT NULL,
    "unbound_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "edge_sql_databases_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "edge_sql_databases_project_id_mode_name_key" ON "edge_sql_databases"("project_id", "mode", "name");
