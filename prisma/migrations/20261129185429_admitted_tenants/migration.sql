-- Tenants whose programs may run on the machine of svc where others reach it. Those that exist may, as before.
ALTER TABLE "pod_runners" ADD COLUMN "admitted_only" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "tenants" ADD COLUMN "admitted_at" TIMESTAMPTZ(3);
UPDATE "tenants" SET "admitted_at" = now();
