-- All of this is outside Prisma's schema.

-- How many products and creatives a campaign has that are not archived: what the quotas count. Triggers write it, so that
-- processes of the version before this one, which run beside it during an upgrade, keep it too.
CREATE TABLE "campaign_items" (
    "campaign_id" TEXT NOT NULL PRIMARY KEY REFERENCES "campaigns"("id") ON DELETE CASCADE,
    "products" BIGINT NOT NULL DEFAULT 0 CHECK ("products" >= 0),
    "creatives" BIGINT NOT NULL DEFAULT 0 CHECK ("creatives" >= 0)
) WITH (fillfactor = 50);

CREATE FUNCTION add_campaign_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO campaign_items (campaign_id)
    SELECT DISTINCT campaign_id FROM added WHERE archived_at IS NULL ORDER BY 1
    ON CONFLICT DO NOTHING;
    UPDATE campaign_items i
    SET products = i.products + CASE TG_TABLE_NAME WHEN 'products' THEN changed.n ELSE 0 END,
        creatives = i.creatives + CASE TG_TABLE_NAME WHEN 'creatives' THEN changed.n ELSE 0 END
    FROM (SELECT campaign_id, count(*) AS n FROM added WHERE archived_at IS NULL GROUP BY 1) changed
    WHERE i.campaign_id = changed.campaign_id;
    RETURN NULL;
END
$$;

CREATE FUNCTION change_campaign_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO campaign_items (campaign_id)
    SELECT DISTINCT campaign_id FROM added WHERE archived_at IS NULL ORDER BY 1
    ON CONFLICT DO NOTHING;
    UPDATE campaign_items i
    SET products = i.products + CASE TG_TABLE_NAME WHEN 'products' THEN changed.n ELSE 0 END,
        creatives = i.creatives + CASE TG_TABLE_NAME WHEN 'creatives' THEN changed.n ELSE 0 END
    FROM (
        SELECT campaign_id, sum(sign)::bigint AS n FROM (
            SELECT campaign_id, 1 AS sign FROM added WHERE archived_at IS NULL
            UNION ALL
            SELECT campaign_id, -1 FROM removed WHERE archived_at IS NULL
        ) each_one
        GROUP BY 1 HAVING sum(sign) <> 0
    ) changed
    WHERE i.campaign_id = changed.campaign_id;
    RETURN NULL;
END
$$;

CREATE FUNCTION remove_campaign_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE campaign_items i
    SET products = i.products - CASE TG_TABLE_NAME WHEN 'products' THEN changed.n ELSE 0 END,
        creatives = i.creatives - CASE TG_TABLE_NAME WHEN 'creatives' THEN changed.n ELSE 0 END
    FROM (SELECT campaign_id, count(*) AS n FROM removed WHERE archived_at IS NULL GROUP BY 1) changed
    WHERE i.campaign_id = changed.campaign_id;
    RETURN NULL;
END
$$;

-- Each trigger locks its table against writes until this migration commits, so that the counts below are complete.
CREATE TRIGGER "products_added" AFTER INSERT ON "products"
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_campaign_items();
CREATE TRIGGER "products_changed" AFTER UPDATE ON "products"
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION change_campaign_items();
CREATE TRIGGER "products_removed" AFTER DELETE ON "products"
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION remove_campaign_items();
CREATE TRIGGER "creatives_added" AFTER INSERT ON "creatives"
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_campaign_items();
CREATE TRIGGER "creatives_changed" AFTER UPDATE ON "creatives"
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION change_campaign_items();
CREATE TRIGGER "creatives_removed" AFTER DELETE ON "creatives"
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION remove_campaign_items();

INSERT INTO "campaign_items" ("campaign_id", "products", "creatives")
SELECT "campaign_id", sum("products"), sum("creatives") FROM (
    SELECT "campaign_id", 1 AS "products", 0 AS "creatives" FROM "products" WHERE "archived_at" IS NULL
    UNION ALL
    SELECT "campaign_id", 0, 1 FROM "creatives" WHERE "archived_at" IS NULL
) items
GROUP BY 1;
