-- CreateEnum
CREATE TYPE "invocation_status" AS ENUM ('queued', 'running', 'succeeded', 'failed');

-- CreateTable
CREATE TABLE "functions" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "env" JSONB NOT NULL,
    "timeout_ms" INTEGER NOT NULL,
    "concurrency_max" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "functions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "function_versions" (
    "function_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "entry" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "function_versions_pkey" PRIMARY KEY ("function_id","number")
);

-- CreateTable
CREATE TABLE "function_invocations" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "function_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "is_async" BOOLEAN NOT NULL,
    "status" "invocation_status" NOT NULL,
    "payload" TEXT,
    "result" TEXT,
    "error" TEXT,
    "logs" TEXT NOT NULL,
    "duration_ms" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "function_invocations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "functions_tenant_id_mode_id_idx" ON "functions"("tenant_id", "mode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "functions_project_id_mode_name_key" ON "functions"("project_id", "mode", "name");

-- CreateIndex
CREATE INDEX "function_invocations_function_id_id_idx" ON "function_invocations"("function_id", "id");

-- CreateIndex
CREATE INDEX "function_invocations_created_at_idx" ON "function_invocations"("created_at");

-- AddForeignKey
ALTER TABLE "function_versions" ADD CONSTRAINT "function_versions_function_id_fkey" FOREIGN KEY ("function_id") REFERENCES "functions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Those that wait and those that run, which are few.
CREATE INDEX "function_invocations_open_idx" ON "function_invocations"("status", "id") WHERE "status" IN ('queued', 'running');
