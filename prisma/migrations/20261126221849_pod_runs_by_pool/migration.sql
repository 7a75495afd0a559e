-- CreateIndex
CREATE INDEX "pod_runs_pool_ended_at_idx" ON "pod_runs"("pool", "ended_at");
