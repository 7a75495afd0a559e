-- Instances had no ports of their own. Those that public ports lead to stay reachable.
WITH "led" AS (
  SELECT p."id" AS "pod_id", p."resource_id", array_agg(DISTINCT l."target_port" ORDER BY l."target_port") AS "ports"
  FROM "pods" p JOIN "public_ports" l ON l."target" IN (p."id", p."resource_id") AND l."tenant_id" = p."tenant_id"
    AND l."project_id" = p."project_id" AND l."mode" = p."mode"
  WHERE p."resource_id" IS NOT NULL AND p."deleted_at" IS NULL AND l."ended_at" IS NULL
  GROUP BY p."id", p."resource_id"
), "opened" AS (
  UPDATE "pods" p SET "ports" = l."ports" FROM "led" l WHERE p."id" = l."pod_id"
)
UPDATE "resources" r SET "spec" = r."spec" || jsonb_build_object('ports', l."ports")
  FROM "led" l WHERE r."id" = l."resource_id" AND r."service" IN ('gpu', 'cpu', 'baremetal');
