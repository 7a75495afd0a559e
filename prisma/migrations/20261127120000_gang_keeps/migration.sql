-- The nodes whose GPUs are kept for a gang that waits. The table is new, so nothing waits for a lock.
CREATE TABLE "gang_keeps" (
  "pool" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "mode" "Mode" NOT NULL,
  "gang_name" TEXT NOT NULL,
  "nodes" TEXT[],
  "members" INTEGER[],
  "since" TIMESTAMPTZ(3) NOT NULL,
  "starts_by" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "gang_keeps_pkey" PRIMARY KEY ("pool")
);
