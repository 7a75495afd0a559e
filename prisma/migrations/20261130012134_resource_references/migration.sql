-- CreateTable
CREATE TABLE "resource_references" (
    "from_id" TEXT NOT NULL,
    "param" TEXT NOT NULL,
    "to_id" TEXT NOT NULL,
    "on_delete" TEXT NOT NULL,

    CONSTRAINT "resource_references_pkey" PRIMARY KEY ("from_id","param")
);

-- CreateIndex
CREATE INDEX "resource_references_to_id_idx" ON "resource_references"("to_id");

-- AddForeignKey
ALTER TABLE "resource_references" ADD CONSTRAINT "resource_references_from_id_fkey" FOREIGN KEY ("from_id") REFERENCES "resources"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_references" ADD CONSTRAINT "resource_references_to_id_fkey" FOREIGN KEY ("to_id") REFERENCES "resources"("id") ON DELETE CASCADE ON UPDATE CASCADE;
