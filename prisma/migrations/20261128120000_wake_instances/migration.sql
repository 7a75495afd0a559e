-- An instance is looked at as soon as its pod changes.
CREATE FUNCTION "wake_instance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "resources" SET "next_at" = now()
  WHERE "id" = NEW."resource_id" AND "archived_at" IS NULL AND "next_at" > now();
  RETURN NULL;
END $$;
CREATE TRIGGER "pods_wake_instance" AFTER UPDATE OF "status", "deleted_at" ON "pods" FOR EACH ROW
  WHEN (NEW."resource_id" IS NOT NULL
    AND (OLD."status" IS DISTINCT FROM NEW."status" OR OLD."deleted_at" IS DISTINCT FROM NEW."deleted_at"))
  EXECUTE FUNCTION "wake_instance"();
