-- Background work that looks at due rows instead of whole tables.

-- Invocations that wait, by function and by the time at which they may begin, and those that run, by function.
CREATE INDEX "function_invocations_queued_idx"
  ON "function_invocations" ("function_id", (coalesce("due_at", "created_at")), "id") WHERE "status" = 'queued';
CREATE INDEX "function_invocations_due_idx"
  ON "function_invocations" ((coalesce("due_at", "created_at"))) WHERE "status" = 'queued';
CREATE INDEX "function_invocations_running_idx" ON "function_invocations" ("function_id") WHERE "status" = 'running';

CREATE INDEX "resources_ready_endpoints_idx" ON "resources" ("id") WHERE "plane" = 'gpuc' AND "service" = 'inference'
  AND "state" = 'ready' AND "failures" = 0 AND "archived_at" IS NULL;
-- Endpoints with traffic, and replicas that change.
CREATE INDEX "inference_loads_seen_at_idx" ON "inference_loads" ("seen_at");
CREATE INDEX "inference_replicas_changing_idx" ON "inference_replicas" ("endpoint_id")
  WHERE "unready_at" IS NOT NULL OR "draining_at" IS NOT NULL;

-- Ports that lead somewhere, those that are to be closed, and those of a tenant.
CREATE INDEX "public_ports_led_idx" ON "public_ports" ("port") WHERE "ended_at" IS NULL AND "target" IS NOT NULL;
CREATE INDEX "public_ports_address_idx" ON "public_ports" ("resource_id") WHERE "address" IS NOT NULL;
CREATE INDEX "public_ports_open_idx" ON "public_ports" ("tenant_id") WHERE "ended_at" IS NULL;
