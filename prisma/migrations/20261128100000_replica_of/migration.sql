-- The inference endpoint that a pod serves, whose usage it is.
ALTER TABLE "pods" ADD COLUMN "replica_of" TEXT;
UPDATE "pods" SET "replica_of" = r."endpoint_id" FROM "inference_replicas" r WHERE r."pod_id" = "pods"."id";
