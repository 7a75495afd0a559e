-- CreateEnum
CREATE TYPE "ChatBudgetWindow" AS ENUM ('day', 'month');

-- CreateEnum
CREATE TYPE "ChatBudgetAction" AS ENUM ('block', 'notify');

-- CreateTable
CREATE TABLE "chat_budgets" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "key_id" TEXT,
    "name" TEXT NOT NULL,
    "amount_micros" BIGINT,
    "tokens" BIGINT,
    "window" "ChatBudgetWindow" NOT NULL,
    "action" "ChatBudgetAction" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "chat_budgets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "chat_settings" (
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "stores_bodies" BOOLEAN NOT NULL DEFAULT false,
    "cache_seconds" INTEGER NOT NULL DEFAULT 0,
    "offers_channel_id" TEXT,
    "offers_limit" INTEGER NOT NULL DEFAULT 3,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chat_settings_pkey" PRIMARY KEY ("project_id","mode")
);

-- CreateIndex
CREATE INDEX "chat_budgets_tenant_id_mode_id_idx" ON "chat_budgets"("tenant_id", "mode", "id");

-- CreateIndex
CREATE INDEX "chat_budgets_project_id_mode_idx" ON "chat_budgets"("project_id", "mode");
