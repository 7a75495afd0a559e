-- The nodes of node groups of clusters, whose GPUs count against the limits of their tenant.
CREATE TABLE "cluster_nodes" (
  "rid" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL,
  "model" TEXT NOT NULL,
  "region" TEXT NOT NULL,
  "nodes" INTEGER NOT NULL,
  "gpus" INTEGER NOT NULL,
  "spot" BOOLEAN NOT NULL,
  CONSTRAINT "cluster_nodes_pkey" PRIMARY KEY ("rid")
);
CREATE INDEX "cluster_nodes_tenant_id_region_model_idx" ON "cluster_nodes" ("tenant_id", "region", "model");
CREATE INDEX "cluster_nodes_cluster_id_idx" ON "cluster_nodes" ("cluster_id");
