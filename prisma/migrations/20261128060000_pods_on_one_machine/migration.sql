-- Pods that only one machine may run, because something attached to them is there.
ALTER TABLE "pods" ADD COLUMN "required_runner_id" TEXT;
