-- Inference endpoints: how many replicas each should have, the pods that are its replicas, and the load of each process.
CREATE TABLE "inference_endpoints" (
  "id" TEXT NOT NULL,
  "wanted" INTEGER NOT NULL,
  "busy_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3),
  "requests" BIGINT NOT NULL DEFAULT 0,
  "failures" INTEGER NOT NULL DEFAULT 0,
  "retry_at" TIMESTAMPTZ(3),
  CONSTRAINT "inference_endpoints_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "inference_replicas" (
  "pod_id" TEXT NOT NULL,
  "endpoint_id" TEXT NOT NULL,
  "program" TEXT NOT NULL,
  "port" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "ready_at" TIMESTAMPTZ(3),
  "unready_at" TIMESTAMPTZ(3),
  "draining_at" TIMESTAMPTZ(3),
  CONSTRAINT "inference_replicas_pkey" PRIMARY KEY ("pod_id")
);
CREATE INDEX "inference_replicas_endpoint_id_idx" ON "inference_replicas" ("endpoint_id");
CREATE TABLE "inference_loads" (
  "endpoint_id" TEXT NOT NULL,
  "process_id" TEXT NOT NULL,
  "outstanding" JSONB NOT NULL,
  "queued" INTEGER NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "inference_loads_pkey" PRIMARY KEY ("endpoint_id", "process_id")
);
