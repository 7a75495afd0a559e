-- CreateTable
CREATE TABLE "edge_functions" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "bindings" JSONB NOT NULL,
    "smoke" JSONB NOT NULL,
    "published_version" INTEGER,
    "published_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "edge_functions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "edge_versions" (
    "edge_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "bindings" JSONB NOT NULL,
    "smoke" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "edge_versions_pkey" PRIMARY KEY ("edge_id","number")
);

-- CreateTable
CREATE TABLE "edge_log_lines" (
    "id" BIGSERIAL NOT NULL,
    "edge_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,
    "request_id" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "edge_log_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "edge_kv_namespaces" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "entries" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "edge_kv_namespaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
-- Keys are listed in the order of their bytes.
CREATE TABLE "edge_kv_entries" (
    "namespace_id" TEXT NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "value" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "edge_kv_entries_pkey" PRIMARY KEY ("namespace_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "edge_functions_slug_key" ON "edge_functions"("slug");

-- CreateIndex
CREATE INDEX "edge_functions_tenant_id_mode_id_idx" ON "edge_functions"("tenant_id", "mode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "edge_functions_project_id_mode_name_key" ON "edge_functions"("project_id", "mode", "name");

-- CreateIndex
CREATE INDEX "edge_log_lines_edge_id_id_idx" ON "edge_log_lines"("edge_id", "id");

-- CreateIndex
CREATE INDEX "edge_log_lines_at_idx" ON "edge_log_lines"("at");

-- CreateIndex
CREATE UNIQUE INDEX "edge_kv_namespaces_project_id_mode_name_key" ON "edge_kv_namespaces"("project_id", "mode", "name");

-- CreateIndex
CREATE INDEX "edge_kv_entries_expires_at_idx" ON "edge_kv_entries"("expires_at");

-- AddForeignKey
ALTER TABLE "edge_versions" ADD CONSTRAINT "edge_versions_edge_id_fkey" FOREIGN KEY ("edge_id") REFERENCES "edge_functions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "edge_log_lines" ADD CONSTRAINT "edge_log_lines_edge_id_fkey" FOREIGN KEY ("edge_id") REFERENCES "edge_functions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "edge_kv_entries" ADD CONSTRAINT "edge_kv_entries_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "edge_kv_namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
