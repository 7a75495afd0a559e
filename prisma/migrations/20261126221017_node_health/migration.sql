-- CreateEnum
CREATE TYPE "CordonSource" AS ENUM ('operator', 'health');

-- CreateEnum
CREATE TYPE "NodeEventSeverity" AS ENUM ('ok', 'info', 'warn', 'crit');

-- AlterTable
ALTER TABLE "gpu_nodes" ADD COLUMN     "cordon_source" "CordonSource",
ADD COLUMN     "flaps" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "gpu_node_events" (
    "pool" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "severity" "NodeEventSeverity" NOT NULL,
    "kind" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "gpu_node_events_pkey" PRIMARY KEY ("pool","node","number")
);
