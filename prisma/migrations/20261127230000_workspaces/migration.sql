-- Workspaces: rows of pods of another kind, and what they have besides.
ALTER TYPE "PodKind" ADD VALUE 'workspace';
CREATE TYPE "WorkspaceEditor" AS ENUM ('code-server', 'built-in');
CREATE TABLE "workspaces" (
  "id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "idle_timeout_seconds" INTEGER NOT NULL,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL,
  "editor" "WorkspaceEditor",
  "editor_run" INTEGER,
  "announced" TEXT NOT NULL,
  CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);
