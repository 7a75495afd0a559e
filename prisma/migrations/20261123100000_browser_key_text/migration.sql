-- Browser keys are public, so the dashboard shows them in full. Existing rows have only a hash: their text stays unknown.
-- The check keeps server keys, which are secret, out of the column.

-- AlterTable
ALTER TABLE "channel_keys" ADD COLUMN     "browser_key" TEXT,
  ADD CONSTRAINT "channel_keys_browser_key_check" CHECK ("browser_key" IS NULL OR "kind" = 'browser');
