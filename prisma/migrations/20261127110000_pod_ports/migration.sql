-- Ports of pods, and which machines can reach them. Both columns have a constant default, so that no row is rewritten.
ALTER TABLE "pods" ADD COLUMN "ports" INTEGER[] NOT NULL DEFAULT '{}';
ALTER TABLE "pod_runners" ADD COLUMN "reaches_ports" BOOLEAN NOT NULL DEFAULT false;
