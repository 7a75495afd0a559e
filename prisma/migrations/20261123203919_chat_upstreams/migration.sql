-- CreateTable
CREATE TABLE "chat_upstreams" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "base_url" TEXT NOT NULL,
    "secret_name" TEXT,
    "models" JSONB NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL,
    "priority" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chat_upstreams_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "chat_upstreams_tenant_id_mode_id_idx" ON "chat_upstreams"("tenant_id", "mode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "chat_upstreams_project_id_mode_name_key" ON "chat_upstreams"("project_id", "mode", "name");
