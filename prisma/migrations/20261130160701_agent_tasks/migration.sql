-- CreateTable
CREATE TABLE "agent_tasks" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "is_error" BOOLEAN NOT NULL DEFAULT false,
    "sealed_outcome" TEXT,
    "bytes" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_tasks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "agent_tasks_tenant_id_holder_id_idx" ON "agent_tasks"("tenant_id", "holder", "id");

-- CreateIndex
CREATE INDEX "agent_tasks_expires_at_idx" ON "agent_tasks"("expires_at");
