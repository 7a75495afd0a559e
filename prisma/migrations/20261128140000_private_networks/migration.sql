-- Private networks of pods, what lets them reach public addresses, and ports of the installation that lead to pods.
CREATE TABLE "private_networks" (
  "id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "mode" "Mode" NOT NULL,
  "cidr" TEXT NOT NULL,
  "subnets" JSONB NOT NULL,
  "runner_id" TEXT NOT NULL,
  "closed" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "private_networks_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "private_networks_runner_id_idx" ON "private_networks" ("runner_id");
CREATE INDEX "private_networks_tenant_id_mode_idx" ON "private_networks" ("tenant_id", "mode");
CREATE TABLE "network_gateways" (
  "id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "network_id" TEXT NOT NULL,
  "egress" BOOLEAN NOT NULL,
  CONSTRAINT "network_gateways_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "network_gateways_network_id_idx" ON "network_gateways" ("network_id");
CREATE TABLE "public_ports" (
  "resource_id" TEXT NOT NULL,
  "tenant_id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "mode" "Mode" NOT NULL,
  "port" INTEGER NOT NULL,
  "target" TEXT,
  "target_port" INTEGER,
  "price_nanos_per_hour" BIGINT NOT NULL,
  "address" TEXT,
  "failure" TEXT,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "public_ports_pkey" PRIMARY KEY ("resource_id", "started_at")
);
CREATE INDEX "public_ports_tenant_id_mode_started_at_idx" ON "public_ports" ("tenant_id", "mode", "started_at");
-- A port leads to one pod.
CREATE UNIQUE INDEX "public_ports_port_key" ON "public_ports" ("port") WHERE "ended_at" IS NULL;
CREATE UNIQUE INDEX "public_ports_resource_key" ON "public_ports" ("resource_id") WHERE "ended_at" IS NULL;
ALTER TABLE "pods" ADD COLUMN "network_id" TEXT, ADD COLUMN "network_subnet" TEXT, ADD COLUMN "network_address" TEXT;
CREATE INDEX "pods_network_id_idx" ON "pods" ("network_id") WHERE "network_id" IS NOT NULL;
ALTER TABLE "pod_runners" ADD COLUMN "has_networks" BOOLEAN NOT NULL DEFAULT false;
