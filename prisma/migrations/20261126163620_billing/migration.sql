-- CreateEnum
CREATE TYPE "InvoiceStatus" AS ENUM ('draft', 'open', 'paid', 'void', 'uncollectible');

-- CreateTable
CREATE TABLE "invoices" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "month" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "status" "InvoiceStatus" NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "exact_nanos" BIGINT NOT NULL,
    "total_minor" BIGINT NOT NULL,
    "processor" TEXT,
    "processor_invoice_id" TEXT,
    "payment_url" TEXT,
    "status_text" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "opened_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_lines" (
    "invoice_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "service" TEXT NOT NULL,
    "sku" TEXT NOT NULL,
    "purchase" TEXT,
    "unit" TEXT NOT NULL,
    "quantity" BIGINT NOT NULL,
    "price_quantity" INTEGER NOT NULL,
    "price_nanos" BIGINT NOT NULL,
    "amount_nanos" BIGINT NOT NULL,

    CONSTRAINT "invoice_lines_pkey" PRIMARY KEY ("invoice_id","number")
);

-- CreateTable
CREATE TABLE "closed_months" (
    "month" TEXT NOT NULL,
    "closed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "closed_months_pkey" PRIMARY KEY ("month")
);

-- CreateTable
CREATE TABLE "processor_customers" (
    "tenant_id" TEXT NOT NULL,
    "processor" TEXT NOT NULL,
    "customer_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "processor_customers_pkey" PRIMARY KEY ("tenant_id","processor")
);

-- CreateTable
CREATE TABLE "processor_events" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "processor_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing_budgets" (
    "tenant_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "amount_micros" BIGINT NOT NULL,
    "thresholds" INTEGER[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "billing_budgets_pkey" PRIMARY KEY ("tenant_id","mode")
);

-- CreateTable
CREATE TABLE "billing_budget_crossings" (
    "tenant_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "month" TEXT NOT NULL,
    "percent" INTEGER NOT NULL,
    "spent_nanos" BIGINT NOT NULL,
    "crossed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "billing_budget_crossings_pkey" PRIMARY KEY ("tenant_id","mode","month","percent")
);

-- CreateIndex
CREATE UNIQUE INDEX "invoices_processor_invoice_id_key" ON "invoices"("processor_invoice_id");

-- CreateIndex
CREATE INDEX "invoices_status_idx" ON "invoices"("status");

-- CreateIndex
CREATE UNIQUE INDEX "invoices_tenant_id_mode_month_key" ON "invoices"("tenant_id", "mode", "month");

-- CreateIndex
CREATE INDEX "processor_events_received_at_idx" ON "processor_events"("received_at");

-- AddForeignKey
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What resources used on a day in UTC, summed from meters that keep less than a billing month: operations of queues,
-- byte-hours of buckets, tokens of chat requests. A day is measured again until the next one is over.
CREATE TABLE "usage_days" (
    "tenant_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "day" DATE NOT NULL,
    "service" TEXT NOT NULL,
    "sku" TEXT NOT NULL,
    -- The queue, the bucket, or the project of chat requests.
    "resource_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "quantity" NUMERIC(30, 0) NOT NULL,
    PRIMARY KEY ("tenant_id", "mode", "day", "service", "sku", "resource_id")
);

-- Until when each meter was summed.
CREATE TABLE "usage_measurements" (
    "service" TEXT NOT NULL PRIMARY KEY,
    "measured_at" TIMESTAMPTZ(3) NOT NULL
);

CREATE INDEX "pod_usage_tenant_id_mode_to_idx" ON "pod_usage"("tenant_id", "mode", "to");
