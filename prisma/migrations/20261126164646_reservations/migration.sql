-- CreateEnum
CREATE TYPE "ReservationStatus" AS ENUM ('scheduled', 'active', 'ended', 'canceled');

-- AlterTable
ALTER TABLE "pods" ADD COLUMN     "reservation_id" TEXT;

-- CreateTable
CREATE TABLE "reservations" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "gpu" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "region" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "duration_days" INTEGER NOT NULL,
    "status" "ReservationStatus" NOT NULL,
    "price_nanos_per_hour" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "end_announced_at" TIMESTAMPTZ(3),
    "canceled_at" TIMESTAMPTZ(3),

    CONSTRAINT "reservations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reserved_devices" (
    "pool" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "device" INTEGER NOT NULL,
    "reservation_id" TEXT NOT NULL,

    CONSTRAINT "reserved_devices_pkey" PRIMARY KEY ("pool","node","device")
);

-- CreateIndex
CREATE INDEX "reservations_tenant_id_mode_id_idx" ON "reservations"("tenant_id", "mode", "id");

-- CreateIndex
CREATE INDEX "reservations_pool_status_idx" ON "reservations"("pool", "status");

-- CreateIndex
CREATE INDEX "reservations_status_starts_at_idx" ON "reservations"("status", "starts_at");

-- CreateIndex
CREATE INDEX "reservations_status_ends_at_idx" ON "reservations"("status", "ends_at");

-- CreateIndex
CREATE INDEX "reserved_devices_reservation_id_idx" ON "reserved_devices"("reservation_id");

-- CreateIndex
CREATE INDEX "pods_reservation_id_status_idx" ON "pods"("reservation_id", "status");

-- AddForeignKey
ALTER TABLE "reserved_devices" ADD CONSTRAINT "reserved_devices_reservation_id_fkey" FOREIGN KEY ("reservation_id") REFERENCES "reservations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
