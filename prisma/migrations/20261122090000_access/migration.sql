-- An address belongs to the account that has verified it; anybody may hold an unverified account of the same address.
DROP INDEX "users_email_key";
CREATE INDEX "users_email_idx" ON "users"("email");
CREATE UNIQUE INDEX "users_verified_email_key" ON "users"("email") WHERE "email_verified_at" IS NOT NULL;

ALTER TABLE "emails" ADD COLUMN "tenant_id" TEXT;
CREATE INDEX "emails_tenant_id_created_at_idx" ON "emails"("tenant_id", "created_at");

CREATE TABLE "log_in_codes" (
    "user_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "tries_left" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "log_in_codes_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "log_in_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
