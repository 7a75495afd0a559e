-- The schema of svc, domain by domain. Columns of tables that prisma/schema describes are packed; its comments explain
-- them. Tables of this file alone have one column per line. References between tables are at the end.
-- svc: replaces 20261130003500_quarantine

-- ======== Tenants, projects, API keys, quotas ========

CREATE TYPE "Mode" AS ENUM ('test', 'live');
CREATE TYPE "Role" AS ENUM ('owner', 'admin', 'member');

CREATE TABLE tenants (
  id text NOT NULL, name text NOT NULL, is_demo boolean NOT NULL DEFAULT false, created_at timestamptz(3) NOT NULL,
  admitted_at timestamptz(3), PRIMARY KEY (id));

-- Wakes the rounds of background work named by the arguments of a trigger, in every process, when the transaction
-- commits. Postgres delivers the same topic once per transaction.
CREATE FUNCTION wake_rounds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 0 .. TG_NARGS - 1 LOOP
    PERFORM pg_notify('svc_rounds', TG_ARGV[i]);
  END LOOP;
  RETURN NULL;
END
$$;
-- What decides whether tenants' network campaigns may serve, except what claims spend: that is read while they serve.
CREATE TRIGGER tenants_wake_buyers AFTER UPDATE OF is_demo ON tenants EXECUTE FUNCTION wake_rounds('buyers');

CREATE TABLE projects (
  id text NOT NULL, tenant_id text NOT NULL, name text NOT NULL, created_at timestamptz(3) NOT NULL,
  archived_at timestamptz(3), PRIMARY KEY (id));
CREATE INDEX projects_tenant_id_idx ON projects (tenant_id);

CREATE TABLE memberships (
  user_id text NOT NULL, tenant_id text NOT NULL, role "Role" NOT NULL, created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, tenant_id));
CREATE INDEX memberships_tenant_id_idx ON memberships (tenant_id);
CREATE TRIGGER memberships_wake_buyers AFTER INSERT OR UPDATE OR DELETE ON memberships
  EXECUTE FUNCTION wake_rounds('buyers');

CREATE TABLE invitations (
  id text NOT NULL, tenant_id text, email text NOT NULL, role "Role" NOT NULL, token_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL, expires_at timestamptz(3) NOT NULL, accepted_at timestamptz(3),
  revoked_at timestamptz(3), is_emailed boolean NOT NULL DEFAULT false, PRIMARY KEY (id));
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
CREATE INDEX invitations_tenant_id_idx ON invitations (tenant_id);
CREATE INDEX invitations_expires_at_idx ON invitations (expires_at);

CREATE TABLE quotas (
  tenant_id text NOT NULL, resource text NOT NULL, "limit" bigint NOT NULL, set_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, resource));

CREATE TABLE stored_bytes (
  tenant_id text NOT NULL, noun text NOT NULL, bytes bigint NOT NULL DEFAULT 0, measured_at timestamptz(3),
  measure_ms integer NOT NULL DEFAULT 0, due_at timestamptz(3), PRIMARY KEY (tenant_id, noun));
CREATE INDEX stored_bytes_due_at_idx ON stored_bytes (due_at);

-- ======== Accounts, sessions, invitations ========

CREATE TYPE "TokenKind" AS ENUM ('verify_email', 'reset_password');

CREATE TABLE users (
  id text NOT NULL, email text NOT NULL, password_hash text NOT NULL, email_verified_at timestamptz(3),
  created_at timestamptz(3) NOT NULL, PRIMARY KEY (id));
CREATE INDEX users_email_idx ON users (email);
CREATE UNIQUE INDEX users_verified_email_key ON users (email) WHERE (email_verified_at IS NOT NULL);
CREATE TRIGGER users_wake_buyers AFTER UPDATE OF email_verified_at ON users EXECUTE FUNCTION wake_rounds('buyers');

CREATE TABLE sessions (
  id text NOT NULL, user_id text NOT NULL, tenant_id text NOT NULL, expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL, user_agent text NOT NULL DEFAULT '', address_hash text NOT NULL DEFAULT '',
  PRIMARY KEY (id));
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

CREATE TABLE auth_tokens (
  hash text NOT NULL, user_id text NOT NULL, kind "TokenKind" NOT NULL, expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL, PRIMARY KEY (hash));
CREATE INDEX auth_tokens_user_id_kind_idx ON auth_tokens (user_id, kind);
-- What the hourly sweep deletes.
CREATE INDEX auth_tokens_expires_at_idx ON auth_tokens (expires_at);

CREATE TABLE api_keys (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  scopes text[], hash text NOT NULL, last_four text NOT NULL, created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3), revoked_at timestamptz(3), last_used_at timestamptz(3),
  allowed_addresses text[] DEFAULT ARRAY[]::text[], previous_hash text, previous_until timestamptz(3),
  rotated_at timestamptz(3), PRIMARY KEY (id));
CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash);
CREATE INDEX api_keys_project_id_idx ON api_keys (project_id);
CREATE INDEX api_keys_tenant_id_created_at_idx ON api_keys (tenant_id, created_at);
CREATE UNIQUE INDEX api_keys_previous_hash_key ON api_keys (previous_hash);

CREATE TABLE refresh_families (
  id text NOT NULL, user_id text NOT NULL, tenant_id text NOT NULL, user_agent text NOT NULL DEFAULT '',
  address_hash text NOT NULL DEFAULT '', created_at timestamptz(3) NOT NULL, expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (id));
CREATE INDEX refresh_families_user_id_idx ON refresh_families (user_id);
CREATE INDEX refresh_families_expires_at_idx ON refresh_families (expires_at);

CREATE TABLE refresh_tokens (
  hash text NOT NULL, family_id text NOT NULL, created_at timestamptz(3) NOT NULL, used_at timestamptz(3),
  PRIMARY KEY (hash));
CREATE INDEX refresh_tokens_family_id_idx ON refresh_tokens (family_id);

CREATE TABLE signing_keys (
  kid text NOT NULL, sealed_secret text NOT NULL, created_at timestamptz(3) NOT NULL, retired_at timestamptz(3),
  PRIMARY KEY (kid));

CREATE TABLE log_in_codes (
  user_id text NOT NULL, hash text NOT NULL, tries_left integer NOT NULL, expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL, PRIMARY KEY (user_id));
CREATE INDEX log_in_codes_expires_at_idx ON log_in_codes (expires_at);

-- ======== Audit log ========

CREATE TABLE audit_heads (
  tenant_id text NOT NULL, sequence bigint NOT NULL, hash text NOT NULL, PRIMARY KEY (tenant_id));

CREATE TABLE audit_entries (
  tenant_id text NOT NULL, sequence bigint NOT NULL, id text NOT NULL, at timestamptz(3) NOT NULL,
  action text NOT NULL, actor jsonb NOT NULL, targets jsonb NOT NULL, context jsonb NOT NULL, details jsonb NOT NULL,
  previous_hash text NOT NULL, hash text NOT NULL, PRIMARY KEY (tenant_id, sequence));
CREATE UNIQUE INDEX audit_entries_id_key ON audit_entries (id);
-- The filters of a tenant's audit log. The ids of targets are unique among tenants, so they need no tenant.
CREATE INDEX audit_entries_tenant_id_action_sequence_idx ON audit_entries (tenant_id, action text_pattern_ops, sequence);
CREATE INDEX audit_entries_tenant_id_at_idx ON audit_entries (tenant_id, at);
CREATE INDEX audit_entries_actor_id_idx ON audit_entries (tenant_id, ((actor #> '{id}'::text[])), sequence);
CREATE INDEX audit_entries_targets_idx ON audit_entries USING gin (targets jsonb_path_ops);

-- What the audit log says stays: nothing but an append is possible, short of the owner's switching this off.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_entries is append-only';
END $$;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- ======== Events ========

CREATE TABLE events (
  id text NOT NULL, sequence bigserial, tenant_id text NOT NULL, project_id text, mode "Mode" NOT NULL,
  type text NOT NULL, data jsonb NOT NULL, created_at timestamptz(3) NOT NULL, dispatched_at timestamptz(3),
  PRIMARY KEY (id));
CREATE UNIQUE INDEX events_sequence_key ON events (sequence);
CREATE INDEX events_tenant_id_mode_sequence_idx ON events (tenant_id, mode, sequence);
CREATE INDEX events_created_at_idx ON events (created_at);
-- Prisma cannot express partial indexes. Events without deliveries are few at any time.
CREATE INDEX events_waiting_idx ON events (id) WHERE (dispatched_at IS NULL);
CREATE TRIGGER events_wake AFTER INSERT ON events
  FOR EACH ROW WHEN (NEW.dispatched_at IS NULL) EXECUTE FUNCTION wake_rounds('webhooks');

-- ======== Webhooks ========

CREATE TYPE "DeliveryStatus" AS ENUM ('pending', 'succeeded', 'failed');
CREATE TYPE "WebhookStatus" AS ENUM ('enabled', 'disabled');

CREATE TABLE webhooks (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  url text NOT NULL, events text[], status "WebhookStatus" NOT NULL DEFAULT 'enabled'::"WebhookStatus",
  disabled_reason text, disabled_at timestamptz(3), failing_since timestamptz(3), sealed_secret text NOT NULL,
  sealed_previous_secret text, previous_secret_until timestamptz(3), created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL, deleted_at timestamptz(3), PRIMARY KEY (id));
CREATE INDEX webhooks_tenant_id_mode_id_idx ON webhooks (tenant_id, mode, id);
CREATE TRIGGER webhooks_wake AFTER UPDATE OF status ON webhooks
  FOR EACH ROW WHEN (NEW.status = 'enabled' AND OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION
  wake_rounds('webhooks');

CREATE TABLE webhook_deliveries (
  id text NOT NULL, webhook_id text NOT NULL, event_id text NOT NULL, event_type text NOT NULL,
  status "DeliveryStatus" NOT NULL DEFAULT 'pending'::"DeliveryStatus", attempt_count integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3), claim text, retries_left integer NOT NULL, retry_until timestamptz(3),
  last_status_code integer, last_error text, created_at timestamptz(3) NOT NULL, finished_at timestamptz(3),
  PRIMARY KEY (id));
CREATE INDEX webhook_deliveries_webhook_id_id_idx ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);
CREATE UNIQUE INDEX webhook_deliveries_webhook_id_event_id_key ON webhook_deliveries (webhook_id, event_id);
-- The deliveries that are due, by webhook: each has room for its own, so that a slow one delays no other.
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (webhook_id, next_attempt_at)
  WHERE (status = 'pending'::"DeliveryStatus");
CREATE TRIGGER webhook_deliveries_wake_insert AFTER INSERT ON webhook_deliveries
  FOR EACH ROW WHEN (NEW.next_attempt_at IS NOT NULL AND NEW.claim IS NULL) EXECUTE FUNCTION wake_rounds('webhooks');
-- A claim postpones a delivery to when the claim counts as lost, which needs no round.
CREATE TRIGGER webhook_deliveries_wake_update AFTER UPDATE OF next_attempt_at ON webhook_deliveries
  FOR EACH ROW WHEN (NEW.next_attempt_at IS DISTINCT FROM OLD.next_attempt_at AND NEW.next_attempt_at IS NOT NULL AND
  NEW.claim IS NULL) EXECUTE FUNCTION wake_rounds('webhooks');

CREATE TABLE webhook_attempts (
  id text NOT NULL, delivery_id text NOT NULL, number integer NOT NULL, started_at timestamptz(3) NOT NULL,
  latency_ms integer NOT NULL, status_code integer, error text, response_body text, PRIMARY KEY (id));
CREATE INDEX webhook_attempts_delivery_id_number_idx ON webhook_attempts (delivery_id, number);

-- ======== The installation ========

CREATE TABLE emails (
  id text NOT NULL, "to" text NOT NULL, subject text NOT NULL, text text NOT NULL, created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3), tenant_id text, PRIMARY KEY (id));
CREATE INDEX emails_created_at_idx ON emails (created_at);
CREATE INDEX emails_tenant_id_created_at_idx ON emails (tenant_id, created_at);

CREATE TABLE settings (name text NOT NULL, value text NOT NULL, set_at timestamptz(3) NOT NULL, PRIMARY KEY (name));

CREATE TABLE idempotent_answers (
  tenant_id text NOT NULL, hash text NOT NULL, fingerprint text NOT NULL, status integer NOT NULL,
  sealed_body text NOT NULL, created_at timestamptz(3) NOT NULL, PRIMARY KEY (tenant_id, hash));
CREATE INDEX idempotent_answers_created_at_idx ON idempotent_answers (created_at);

-- The demo account's simulated traffic: what was or is being written, at most once per tenant.
CREATE TABLE simulated_traffic (
  tenant_id text NOT NULL,
  -- The tenant that buys the other part of the simulated offers.
  partner_id text NOT NULL,
  from_at timestamptz(3) NOT NULL,
  to_at timestamptz(3) NOT NULL,
  -- Everything before this time is written.
  written_to timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  PRIMARY KEY (tenant_id)
);
-- Simulated traffic comes with everything that its days wrote.
CREATE TRIGGER simulated_traffic_wake AFTER UPDATE OF written_to ON simulated_traffic
  FOR EACH ROW WHEN (NEW.written_to IS DISTINCT FROM OLD.written_to) EXECUTE FUNCTION wake_rounds('outbox');

-- ======== Channels ========

CREATE TYPE "ChannelKeyKind" AS ENUM ('server', 'browser');
CREATE TYPE "NetworkChoice" AS ENUM ('all', 'approved', 'own');
CREATE TYPE "Strictness" AS ENUM ('relaxed', 'balanced', 'strict');

CREATE TABLE channels (
  id text NOT NULL, tenant_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL, origins text[],
  categories text[], blocked_categories text[], blocked_advertisers text[], created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL, archived_at timestamptz(3),
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(), approved_advertisers text[] DEFAULT ARRAY[]::text[],
  network "NetworkChoice" NOT NULL DEFAULT 'all'::"NetworkChoice", network_suspended_at timestamptz(3),
  strictness "Strictness" NOT NULL DEFAULT 'balanced'::"Strictness", PRIMARY KEY (id));
CREATE INDEX channels_tenant_id_mode_id_idx ON channels (tenant_id, mode, id);
CREATE INDEX channels_change_xid_idx ON channels (change_xid);

-- The catalog asks for rows whose transaction is newer than the oldest one that ran at its last look: a clock or a
-- sequence would miss rows of transactions that commit late.
CREATE FUNCTION set_change_xid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.change_xid := pg_current_xact_id();
    RETURN NEW;
END
$$;
CREATE TRIGGER channels_change_xid BEFORE INSERT OR UPDATE ON channels FOR EACH ROW EXECUTE FUNCTION set_change_xid();
-- Statement triggers, because an import writes thousands of rows at once, and the round only reads these tables.
CREATE TRIGGER channels_wake AFTER INSERT OR UPDATE ON channels EXECUTE FUNCTION wake_rounds('catalog');

CREATE TABLE channel_keys (
  id text NOT NULL, channel_id text NOT NULL, kind "ChannelKeyKind" NOT NULL, hash text NOT NULL,
  last_four text NOT NULL, created_at timestamptz(3) NOT NULL, revoked_at timestamptz(3), last_used_at timestamptz(3),
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(), browser_key text, PRIMARY KEY (id),
  CONSTRAINT channel_keys_browser_key_check CHECK (browser_key IS NULL OR kind = 'browser'::"ChannelKeyKind"));
CREATE UNIQUE INDEX channel_keys_hash_key ON channel_keys (hash);
CREATE INDEX channel_keys_channel_id_id_idx ON channel_keys (channel_id, id);
CREATE INDEX channel_keys_change_xid_idx ON channel_keys (change_xid);
CREATE TRIGGER channel_keys_change_xid BEFORE INSERT OR UPDATE ON channel_keys
  FOR EACH ROW EXECUTE FUNCTION set_change_xid();
CREATE TRIGGER channel_keys_wake_insert AFTER INSERT ON channel_keys EXECUTE FUNCTION wake_rounds('catalog');
-- Not for the time of a key's last use.
CREATE TRIGGER channel_keys_wake_update AFTER UPDATE OF id, channel_id, kind, hash, revoked_at ON channel_keys
  EXECUTE FUNCTION wake_rounds('catalog');

-- ======== Advertisers, campaigns, creatives, products ========

CREATE TYPE "AdvertiserReview" AS ENUM ('unreviewed', 'pending', 'approved', 'rejected');
CREATE TYPE "CampaignStatus" AS ENUM ('draft', 'active', 'paused', 'ended');
CREATE TYPE "Pacing" AS ENUM ('even', 'asap');
CREATE TYPE "PriceModel" AS ENUM ('cpc', 'cpm');
CREATE TYPE "Reach" AS ENUM ('tenant', 'network');

CREATE TABLE advertisers (
  id text NOT NULL, tenant_id text NOT NULL, name text NOT NULL, domain text, icon_url text,
  created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, archived_at timestamptz(3),
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(), pixel_value_max_micros bigint, copied_from text,
  domain_token text NOT NULL DEFAULT replace((gen_random_uuid())::text, '-', ''), domain_verified_at timestamptz(3),
  mode "Mode" NOT NULL DEFAULT 'live'::"Mode",
  review "AdvertiserReview" NOT NULL DEFAULT 'unreviewed'::"AdvertiserReview", review_note text NOT NULL DEFAULT '',
  reviewed_at timestamptz(3), blocked_channels text[] DEFAULT ARRAY[]::text[],
  blocked_domains text[] DEFAULT ARRAY[]::text[], PRIMARY KEY (id));
CREATE INDEX advertisers_change_xid_idx ON advertisers (change_xid);
CREATE INDEX advertisers_tenant_id_mode_id_idx ON advertisers (tenant_id, mode, id);
CREATE INDEX advertisers_copied_from_idx ON advertisers (copied_from);
CREATE TRIGGER advertisers_change_xid BEFORE INSERT OR UPDATE ON advertisers
  FOR EACH ROW EXECUTE FUNCTION set_change_xid();
CREATE TRIGGER advertisers_wake AFTER INSERT OR UPDATE ON advertisers EXECUTE FUNCTION wake_rounds('catalog');

CREATE TABLE campaigns (
  id text NOT NULL, tenant_id text NOT NULL, advertiser_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  model "PriceModel" NOT NULL, bid_micros bigint NOT NULL, daily_budget_micros bigint, total_budget_micros bigint,
  starts_at timestamptz(3), ends_at timestamptz(3), timezone text NOT NULL DEFAULT 'UTC',
  pacing "Pacing" NOT NULL DEFAULT 'even'::"Pacing", reach "Reach" NOT NULL DEFAULT 'tenant'::"Reach",
  status "CampaignStatus" NOT NULL DEFAULT 'active'::"CampaignStatus", caps jsonb NOT NULL DEFAULT '[]'::jsonb,
  targeting jsonb NOT NULL DEFAULT '{}'::jsonb, keywords jsonb NOT NULL DEFAULT '[]'::jsonb,
  attribution jsonb NOT NULL DEFAULT '{}'::jsonb, created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL, archived_at timestamptz(3),
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(), PRIMARY KEY (id));
CREATE INDEX campaigns_tenant_id_mode_id_idx ON campaigns (tenant_id, mode, id);
CREATE INDEX campaigns_advertiser_id_idx ON campaigns (advertiser_id);
CREATE INDEX campaigns_change_xid_idx ON campaigns (change_xid);
CREATE TRIGGER campaigns_change_xid BEFORE INSERT OR UPDATE ON campaigns
  FOR EACH ROW EXECUTE FUNCTION set_change_xid();
CREATE TRIGGER campaigns_wake AFTER INSERT OR UPDATE ON campaigns EXECUTE FUNCTION wake_rounds('catalog');
CREATE TRIGGER campaigns_wake_feeds AFTER UPDATE OF status, archived_at ON campaigns
  EXECUTE FUNCTION wake_rounds('feeds');

CREATE TABLE creatives (
  id text NOT NULL, campaign_id text NOT NULL, title text NOT NULL, content text NOT NULL, cta text NOT NULL,
  landing_url text NOT NULL, brand jsonb, product jsonb, price jsonb, rating jsonb,
  created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, archived_at timestamptz(3),
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(), PRIMARY KEY (id));
CREATE INDEX creatives_campaign_id_id_idx ON creatives (campaign_id, id);
CREATE INDEX creatives_change_xid_idx ON creatives (change_xid);

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
CREATE TRIGGER creatives_change_xid BEFORE INSERT OR UPDATE ON creatives
  FOR EACH ROW EXECUTE FUNCTION set_change_xid();
CREATE TRIGGER creatives_added AFTER INSERT ON creatives REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_campaign_items();
CREATE TRIGGER creatives_changed AFTER UPDATE ON creatives REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION change_campaign_items();
CREATE TRIGGER creatives_removed AFTER DELETE ON creatives REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION remove_campaign_items();
CREATE TRIGGER creatives_wake AFTER INSERT OR UPDATE ON creatives EXECUTE FUNCTION wake_rounds('catalog');

CREATE TABLE products (
  id text NOT NULL, campaign_id text NOT NULL, external_id text NOT NULL, title text NOT NULL,
  description text NOT NULL DEFAULT '', link text NOT NULL, image_link text, brand text, gtin text, category text,
  availability text NOT NULL DEFAULT 'in_stock', currency text, price numeric(14,4), original_price numeric(14,4),
  rating jsonb, details jsonb NOT NULL DEFAULT '[]'::jsonb, created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL, archived_at timestamptz(3),
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(), google_product_category text, item_group_id text,
  sale_ends_at timestamptz(3), sale_starts_at timestamptz(3), PRIMARY KEY (id));
CREATE INDEX products_campaign_id_id_idx ON products (campaign_id, id);
CREATE UNIQUE INDEX products_campaign_id_external_id_key ON products (campaign_id, external_id);
CREATE INDEX products_change_xid_idx ON products (change_xid);
CREATE TRIGGER products_change_xid BEFORE INSERT OR UPDATE ON products FOR EACH ROW EXECUTE FUNCTION set_change_xid();
CREATE TRIGGER products_added AFTER INSERT ON products REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_campaign_items();
CREATE TRIGGER products_changed AFTER UPDATE ON products REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION change_campaign_items();
CREATE TRIGGER products_removed AFTER DELETE ON products REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION remove_campaign_items();
CREATE TRIGGER products_wake AFTER INSERT OR UPDATE ON products EXECUTE FUNCTION wake_rounds('catalog');

-- How many products and creatives a campaign has that are not archived: what the quotas count. Triggers write it.
CREATE TABLE campaign_items (
  campaign_id text NOT NULL,
  products bigint NOT NULL DEFAULT 0 CHECK (products >= 0),
  creatives bigint NOT NULL DEFAULT 0 CHECK (creatives >= 0),
  PRIMARY KEY (campaign_id)
) WITH (fillfactor = 50);

-- The vectors of creatives and products, if EMBEDDINGS_URL is set.
CREATE TABLE item_vectors (
  item_id text NOT NULL,
  campaign_id text NOT NULL,
  -- SHA-256 of the text that the vector is made of.
  print text NOT NULL,
  model text NOT NULL,
  -- One signed byte per component; null: the service did not accept the text.
  vector bytea,
  -- change_xid of the item when its text was last read.
  item_xid xid8 NOT NULL,
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (item_id)
);
ALTER TABLE item_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;
CREATE INDEX item_vectors_campaign_id_idx ON item_vectors (campaign_id);
CREATE INDEX item_vectors_change_xid_idx ON item_vectors (change_xid);
CREATE TRIGGER item_vectors_change_xid BEFORE INSERT OR UPDATE ON item_vectors
  FOR EACH ROW EXECUTE FUNCTION set_change_xid();

CREATE TABLE budget_crossings (
  campaign_id text NOT NULL, period text NOT NULL, level text NOT NULL, budget_micros bigint NOT NULL,
  crossed_at timestamptz(3) NOT NULL, PRIMARY KEY (campaign_id, period, level, budget_micros));
CREATE INDEX budget_crossings_crossed_at_idx ON budget_crossings (crossed_at);

-- ======== Feed schedules ========

CREATE TABLE feed_schedules (
  campaign_id text NOT NULL, url text NOT NULL, interval_hours integer NOT NULL, remove_missing boolean NOT NULL,
  username text, sealed_password text, next_fetch_at timestamptz(3) NOT NULL, paused_at timestamptz(3), claim text,
  started_at timestamptz(3), etag text, last_modified text, failures integer NOT NULL DEFAULT 0, last_fetch json,
  last_import json, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, PRIMARY KEY (campaign_id));
CREATE INDEX feed_schedules_next_fetch_at_idx ON feed_schedules (next_fetch_at);
CREATE TRIGGER feed_schedules_wake AFTER INSERT OR DELETE ON feed_schedules
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('feeds');
CREATE TRIGGER feed_schedules_wake_update AFTER UPDATE ON feed_schedules
  FOR EACH ROW WHEN (NEW.next_fetch_at IS DISTINCT FROM OLD.next_fetch_at OR NEW.paused_at IS DISTINCT FROM
  OLD.paused_at OR (OLD.claim IS NOT NULL AND NEW.claim IS DISTINCT FROM OLD.claim)) EXECUTE FUNCTION
  wake_rounds('feeds');

-- ======== Signals ========

CREATE TABLE signals (
  id bigserial, tenant_id text NOT NULL, subject_key text NOT NULL, category text NOT NULL,
  confidence double precision NOT NULL, subject text NOT NULL, attributes jsonb NOT NULL DEFAULT '{}'::jsonb,
  iab jsonb, created_at timestamptz(3) NOT NULL, PRIMARY KEY (id));
CREATE INDEX signals_subject_key_created_at_idx ON signals (subject_key, created_at);
CREATE INDEX signals_created_at_idx ON signals (created_at);

-- ======== Offers and cap events ========

-- One row an offer. The id is a UUIDv7, so a day is a range of ids and old days are dropped whole; partitions.ts makes
-- the partitions. Room is left in each page, so that marking an offer as seen stays in its page (a HOT update).
CREATE TABLE offers (
  id uuid NOT NULL,
  request_id uuid NOT NULL,
  tenant_id text NOT NULL,
  channel_id text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  buyer_tenant_id text NOT NULL,
  advertiser_id text NOT NULL,
  campaign_id text NOT NULL,
  creative_id text NOT NULL DEFAULT '',
  product_id text NOT NULL DEFAULT '',
  model text NOT NULL CHECK (model IN ('cpc', 'cpm')),
  price_nanos bigint NOT NULL CHECK (price_nanos >= 0),
  house boolean NOT NULL DEFAULT false,
  landing_url text NOT NULL,
  placement text NOT NULL DEFAULT '',
  geo text NOT NULL DEFAULT '',
  device text NOT NULL DEFAULT '',
  locale text NOT NULL DEFAULT '',
  user_key text NOT NULL DEFAULT '',
  caps jsonb,
  seen_at timestamptz(3),
  clicked_at timestamptz(3),
  click_id text,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
-- A conversion names a click, and nothing else.
CREATE INDEX offers_click_id_idx ON offers (click_id) WHERE (click_id IS NOT NULL);
-- The touches of a user: what view-through attribution and erasure look for.
CREATE INDEX offers_user_key_idx ON offers (user_key, id) WHERE (user_key <> ''::text);
-- Erasure finds the offers that hold places of a user.
CREATE INDEX offers_caps_user_idx ON offers (((caps ->> 'user'::text))) WHERE (caps IS NOT NULL);
-- A rebuild reads the offers of two hours that hold places, and passes over all others.
CREATE INDEX offers_capped_idx ON offers (id) WHERE (caps IS NOT NULL);

-- What frequency caps have counted, one row an impression of a capped offer, written by the statement that claims it:
-- the counters live in memory and are put back from here. Like an offer, a row lies in the partition of its id's day.
CREATE TABLE cap_events (
  id uuid NOT NULL,
  user_key text NOT NULL,
  -- When the place was reserved, on the counters' clock: windows run from there.
  at timestamptz(3) NOT NULL,
  -- When the last of its windows has passed.
  ends_at timestamptz(3) NOT NULL,
  -- [{ "key": "campaign:cmp_…:86400", "windowMs": 86400000 }], as the counters know them.
  windows jsonb NOT NULL,
  -- On the clock of Postgres, which all processes share.
  noted_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
-- What still counts, for a rebuild; what was noted lately, for a look after missed counts; whose it is, for erasure.
CREATE INDEX cap_events_ends_at_id_idx ON cap_events (ends_at, id);
CREATE INDEX cap_events_noted_at_id_idx ON cap_events (noted_at, id);
CREATE INDEX cap_events_user_key_idx ON cap_events (user_key);

-- ======== Outbox ========

-- One row is one row of the ClickHouse table "table", written in the transaction of what it reports.
CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY,
  "table" text NOT NULL,
  "row" jsonb NOT NULL,
  PRIMARY KEY (seq)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);
-- Impressions and clicks come from claims, whose process announces them: a notification at each commit would make the
-- commits of all processes wait for each other.
CREATE TRIGGER outbox_wake AFTER INSERT ON outbox
  FOR EACH ROW WHEN (NEW."table" NOT IN ('impressions', 'clicks')) EXECUTE FUNCTION wake_rounds('outbox');

-- A frozen slice of the outbox on its way to ClickHouse: a retry sends the same rows (JSON, one a line) under the same
-- token.
CREATE TABLE outbox_slices (
  id bigint GENERATED ALWAYS AS IDENTITY,
  "table" text NOT NULL,
  rows text NOT NULL,
  PRIMARY KEY (id)
);

-- ======== Conversions ========

-- What advertisers report, each order of an advertiser once. A conversion that no touch explains names its reason and
-- no campaign.
CREATE TABLE conversions (
  id text NOT NULL,
  tenant_id text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  advertiser_id text NOT NULL DEFAULT '',
  order_id text NOT NULL,
  click_id text NOT NULL DEFAULT '',
  attribution text NOT NULL CHECK (attribution IN ('click', 'view', 'none')),
  reason text NOT NULL DEFAULT '',
  offer_id uuid,
  campaign_id text NOT NULL DEFAULT '',
  publisher_tenant_id text NOT NULL DEFAULT '',
  channel_id text NOT NULL DEFAULT '',
  touched_at timestamptz(3),
  value_micros bigint NOT NULL CHECK (value_micros >= 0),
  occurred_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- source: who reported the order; NULL: an authenticated report. fact: the row of ClickHouse that is reversed when a
  -- server reports the order. over_limit: the value was above a limit of the pixel and counts as 0. look_at: when to
  -- look for the click again.
  source text CHECK (source IN ('server', 'pixel')),
  fact jsonb,
  over_limit boolean,
  look_at timestamptz(3),
  PRIMARY KEY (id),
  CONSTRAINT conversions_tenant_id_mode_advertiser_id_order_id_key UNIQUE (tenant_id, mode, advertiser_id, order_id)
);
CREATE INDEX conversions_tenant_id_mode_id_idx ON conversions (tenant_id, mode, id);
CREATE INDEX conversions_look_at_idx ON conversions (tenant_id, look_at) WHERE (look_at IS NOT NULL);
-- What one pixel order is checked against: the value that pixels of the advertiser reported lately, and the orders of
-- the click.
CREATE INDEX conversions_pixel_value_idx ON conversions (advertiser_id, mode, created_at) INCLUDE (value_micros)
  WHERE (source = 'pixel'::text);
CREATE INDEX conversions_pixel_click_idx ON conversions (click_id) WHERE (source = 'pixel'::text);
-- The conversions of one campaign.
CREATE INDEX conversions_campaign_id_id_idx ON conversions (campaign_id, id) WHERE (campaign_id <> ''::text);

-- Pixel orders whose click is not claimed yet. They hold no order id; an advertiser has a fixed number of places.
CREATE TABLE waiting_pixels (
  advertiser_id text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  place integer NOT NULL,
  tenant_id text NOT NULL,
  order_id text NOT NULL,
  click_id text NOT NULL,
  value_micros bigint NOT NULL CHECK (value_micros >= 0),
  occurred_at timestamptz(3) NOT NULL,
  look_at timestamptz(3) NOT NULL,
  PRIMARY KEY (advertiser_id, mode, place)
);
CREATE INDEX waiting_pixels_look_at_idx ON waiting_pixels (look_at);

-- ======== Spend of campaigns ========

-- What a campaign has spent on a day, in nanos; debited in the transaction of the claim.
CREATE TABLE campaign_spend (
  campaign_id text NOT NULL,
  day date NOT NULL,
  nanos bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (campaign_id, day)
) WITH (fillfactor = 80);

CREATE FUNCTION add_campaign_total() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.campaign_id <> OLD.campaign_id THEN
        RAISE EXCEPTION 'campaign_spend.campaign_id does not change';
    END IF;
    INSERT INTO campaign_totals AS t (campaign_id, nanos)
    VALUES (coalesce(NEW.campaign_id, OLD.campaign_id), coalesce(NEW.nanos, 0) - coalesce(OLD.nanos, 0))
    ON CONFLICT (campaign_id) DO UPDATE SET nanos = t.nanos + excluded.nanos;
    RETURN NULL;
END
$$;
-- For each row: rows are written in the order of campaigns, so totals are locked in that order too, whether a
-- statement adds days or amounts. A trigger for each statement would lock those of its new days after those of its old
-- ones, and two transactions could wait for each other.
CREATE TRIGGER campaign_spend_total AFTER INSERT OR UPDATE OR DELETE ON campaign_spend
  FOR EACH ROW EXECUTE FUNCTION add_campaign_total();

-- What offers that were served and not yet seen or clicked are expected to cost: an estimate that fades within
-- minutes, so it need not outlive a crash. served_nanos only grows: all that was ever expected.
CREATE UNLOGGED TABLE campaign_pending (
  campaign_id text NOT NULL,
  nanos double precision NOT NULL,
  served_nanos double precision NOT NULL,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (campaign_id)
) WITH (fillfactor = 50);

-- What a campaign has spent ever: the sum of its rows of campaign_spend, so that no claim and no look at budgets reads
-- all of its days. A trigger writes it.
CREATE TABLE campaign_totals (
  campaign_id text NOT NULL,
  nanos bigint NOT NULL,
  PRIMARY KEY (campaign_id)
) WITH (fillfactor = 50);

-- ======== Ledger and earnings ========

-- Every charge, once an offer and event, for good: campaign_spend is its sum by day, and reports must equal it.
CREATE TABLE ledger (
  offer_id uuid NOT NULL,
  event text NOT NULL,
  at timestamptz(3) NOT NULL,
  day date NOT NULL,
  campaign_id text NOT NULL,
  buyer_tenant_id text NOT NULL,
  publisher_tenant_id text NOT NULL,
  charge_nanos bigint NOT NULL,
  earning_nanos bigint NOT NULL,
  -- A reversal is a row of its own, with the time and day of the event that it reverses and the amounts below zero:
  -- the primary key allows one per event.
  channel_id text NOT NULL DEFAULT '',
  PRIMARY KEY (offer_id, event),
  CONSTRAINT ledger_amounts_check CHECK (
  CASE
      WHEN event IN ('impression', 'click') THEN charge_nanos > 0 AND earning_nanos BETWEEN 0 AND charge_nanos
      WHEN event IN ('impression_reversal', 'click_reversal') THEN charge_nanos < 0 AND earning_nanos BETWEEN charge_nanos AND 0
      ELSE false
  END)
);
CREATE INDEX ledger_day_idx ON ledger USING brin (day);
CREATE INDEX ledger_channel_id_offer_id_idx ON ledger (channel_id, offer_id, event) WHERE (charge_nanos > 0);

CREATE FUNCTION add_publisher_earnings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO publisher_earnings AS e (tenant_id, day, earned_nanos, clawed_back_nanos)
    SELECT publisher_tenant_id, (at AT TIME ZONE 'UTC')::date, sum(greatest(earning_nanos, 0)), sum(greatest(-earning_nanos, 0))
    FROM added WHERE earning_nanos <> 0
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (tenant_id, day) DO UPDATE SET
        earned_nanos = e.earned_nanos + excluded.earned_nanos,
        clawed_back_nanos = e.clawed_back_nanos + excluded.clawed_back_nanos;
    RETURN NULL;
END
$$;

-- Rows are written in the order of the key, so two transactions cannot wait for each other.
CREATE FUNCTION add_ledger_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ledger_days AS d (tenant_id, kind, day, item_id, nanos, reversed_nanos)
    SELECT side.tenant_id, side.kind, (added.at AT TIME ZONE 'UTC')::date, side.item_id,
      sum(greatest(side.nanos, 0)), sum(greatest(-side.nanos, 0))
    FROM added, LATERAL (VALUES
      (publisher_tenant_id, 'earned', channel_id, earning_nanos),
      (buyer_tenant_id, CASE WHEN buyer_tenant_id = publisher_tenant_id THEN 'own' ELSE 'spent' END, campaign_id, charge_nanos)
    ) AS side (tenant_id, kind, item_id, nanos)
    WHERE side.nanos <> 0
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, kind, day, item_id) DO UPDATE SET
        nanos = d.nanos + excluded.nanos,
        reversed_nanos = d.reversed_nanos + excluded.reversed_nanos;
    RETURN NULL;
END
$$;
CREATE TRIGGER ledger_publisher_earnings AFTER INSERT ON ledger REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_publisher_earnings();
CREATE TRIGGER ledger_summed_by_day AFTER INSERT ON ledger REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_ledger_days();

-- What a publisher's channels earned by the UTC day of the event. A trigger writes it.
CREATE TABLE publisher_earnings (
  tenant_id text NOT NULL,
  day date NOT NULL,
  earned_nanos bigint NOT NULL CHECK (earned_nanos >= 0),
  clawed_back_nanos bigint NOT NULL CHECK (clawed_back_nanos >= 0),
  PRIMARY KEY (tenant_id, day)
) WITH (fillfactor = 50);

-- What operators clawed back: terms are fixed when it begins, so that an interrupted one ends with the same events.
CREATE TABLE clawbacks (
  id text NOT NULL,
  channel_id text NOT NULL,
  publisher_tenant_id text NOT NULL,
  from_at timestamptz(3) NOT NULL,
  to_at timestamptz(3) NOT NULL,
  offer_ids uuid[],
  reason text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX clawbacks_unfinished_idx ON clawbacks (channel_id) WHERE (finished_at IS NULL);

-- What each clawback has reversed so far, below zero.
CREATE TABLE clawback_sums (
  clawback_id text NOT NULL,
  campaign_id text NOT NULL,
  buyer_tenant_id text NOT NULL,
  events bigint NOT NULL,
  charge_nanos bigint NOT NULL,
  earning_nanos bigint NOT NULL,
  PRIMARY KEY (clawback_id, campaign_id)
);

-- The ledger summed by tenant, UTC day of the event, and channel or campaign, for statements. A trigger writes it.
CREATE TABLE ledger_days (
  tenant_id text NOT NULL,
  -- earned: by a publisher's channel, from campaigns of other tenants; spent: by a buyer's campaign, on channels of
  -- other tenants; own: by a campaign on its tenant's own channels, which nobody pays.
  kind text NOT NULL CHECK (kind IN ('earned', 'spent', 'own')),
  day date NOT NULL,
  -- The channel ('' if the ledger does not name it) or the campaign.
  item_id text NOT NULL,
  nanos bigint NOT NULL CHECK (nanos >= 0),
  reversed_nanos bigint NOT NULL CHECK (reversed_nanos >= 0),
  PRIMARY KEY (tenant_id, kind, day, item_id)
) WITH (fillfactor = 50);

-- ======== Balances ========

CREATE TYPE "BalanceEntryKind" AS ENUM ('credit', 'adjustment', 'refund');

CREATE TABLE tenant_balances (
  tenant_id text NOT NULL, credited_nanos bigint NOT NULL DEFAULT 0, spent_nanos bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id), CONSTRAINT tenant_balances_spent_check CHECK (spent_nanos >= 0 AND credited_nanos >= 0));
CREATE TRIGGER tenant_balances_wake_insert AFTER INSERT ON tenant_balances EXECUTE FUNCTION wake_rounds('buyers');
CREATE TRIGGER tenant_balances_wake_update AFTER UPDATE OF credited_nanos ON tenant_balances
  EXECUTE FUNCTION wake_rounds('buyers');

CREATE TABLE balance_entries (
  id text NOT NULL, tenant_id text NOT NULL, kind "BalanceEntryKind" NOT NULL, amount_nanos bigint NOT NULL,
  note text NOT NULL DEFAULT '', actor text NOT NULL, at timestamptz(3) NOT NULL, PRIMARY KEY (id),
  CONSTRAINT balance_entries_amount_check CHECK (amount_nanos <> 0));
CREATE INDEX balance_entries_tenant_id_id_idx ON balance_entries (tenant_id, id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER balance_entries_append_only BEFORE UPDATE OR DELETE ON balance_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER balance_entries_no_truncate BEFORE TRUNCATE ON balance_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- ======== Billing and usage ========

CREATE TYPE "InvoiceStatus" AS ENUM ('draft', 'open', 'paid', 'void', 'uncollectible');

CREATE TABLE invoices (
  id text NOT NULL, tenant_id text NOT NULL, mode "Mode" NOT NULL, month text NOT NULL, currency text NOT NULL,
  status "InvoiceStatus" NOT NULL, simulated boolean NOT NULL, exact_nanos bigint NOT NULL,
  total_minor bigint NOT NULL, processor text, processor_invoice_id text, payment_url text, status_text text,
  created_at timestamptz(3) NOT NULL, opened_at timestamptz(3), paid_at timestamptz(3), closed_at timestamptz(3),
  PRIMARY KEY (id));
CREATE UNIQUE INDEX invoices_processor_invoice_id_key ON invoices (processor_invoice_id);
CREATE INDEX invoices_status_idx ON invoices (status);
CREATE UNIQUE INDEX invoices_tenant_id_mode_month_key ON invoices (tenant_id, mode, month);

CREATE TABLE invoice_lines (
  invoice_id text NOT NULL, number integer NOT NULL, service text NOT NULL, sku text NOT NULL, purchase text,
  unit text NOT NULL, quantity bigint NOT NULL, price_quantity integer NOT NULL, price_nanos bigint NOT NULL,
  amount_nanos bigint NOT NULL, PRIMARY KEY (invoice_id, number));

CREATE TABLE closed_months (month text NOT NULL, closed_at timestamptz(3) NOT NULL, PRIMARY KEY (month));

CREATE TABLE processor_customers (
  tenant_id text NOT NULL, processor text NOT NULL, customer_id text NOT NULL, created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, processor));

CREATE TABLE processor_events (
  id text NOT NULL, type text NOT NULL, received_at timestamptz(3) NOT NULL, PRIMARY KEY (id));
CREATE INDEX processor_events_received_at_idx ON processor_events (received_at);

CREATE TABLE billing_budgets (
  tenant_id text NOT NULL, mode "Mode" NOT NULL, amount_micros bigint NOT NULL, thresholds integer[],
  created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, PRIMARY KEY (tenant_id, mode));

CREATE TABLE billing_budget_crossings (
  tenant_id text NOT NULL, mode "Mode" NOT NULL, month text NOT NULL, percent integer NOT NULL,
  spent_nanos bigint NOT NULL, crossed_at timestamptz(3) NOT NULL, PRIMARY KEY (tenant_id, mode, month, percent));

-- What resources used on a day in UTC, summed from meters that keep less than a billing month: operations of queues,
-- byte-hours of buckets, tokens of chat requests. A day is measured again until the next one is over.
CREATE TABLE usage_days (
  tenant_id text NOT NULL,
  mode "Mode" NOT NULL,
  day date NOT NULL,
  service text NOT NULL,
  sku text NOT NULL,
  -- The queue, the bucket, or the project of chat requests.
  resource_id text NOT NULL,
  project_id text NOT NULL,
  quantity numeric(30,0) NOT NULL,
  PRIMARY KEY (tenant_id, mode, day, service, sku, resource_id)
);

-- Until when each meter was summed.
CREATE TABLE usage_measurements (
  service text NOT NULL,
  measured_at timestamptz(3) NOT NULL,
  PRIMARY KEY (service)
);

-- ======== Chat ========

CREATE TYPE "ChatBudgetAction" AS ENUM ('block', 'notify');
CREATE TYPE "ChatBudgetWindow" AS ENUM ('day', 'month');

CREATE TABLE chat_budgets (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, key_id text,
  name text NOT NULL, amount_micros bigint, tokens bigint, "window" "ChatBudgetWindow" NOT NULL,
  action "ChatBudgetAction" NOT NULL, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3), PRIMARY KEY (id));
CREATE INDEX chat_budgets_tenant_id_mode_id_idx ON chat_budgets (tenant_id, mode, id);
CREATE INDEX chat_budgets_project_id_mode_idx ON chat_budgets (project_id, mode);
CREATE TRIGGER chat_budgets_wake AFTER INSERT OR UPDATE ON chat_budgets
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('chat-budgets');

CREATE TABLE chat_settings (
  project_id text NOT NULL, mode "Mode" NOT NULL, tenant_id text NOT NULL,
  stores_bodies boolean NOT NULL DEFAULT false, cache_seconds integer NOT NULL DEFAULT 0, offers_channel_id text,
  offers_limit integer NOT NULL DEFAULT 3, updated_at timestamptz(3) NOT NULL, PRIMARY KEY (project_id, mode));

-- Each chat and embeddings request: the log and the bill. Money is in nanos (10^-9) of the installation's currency. A
-- row is pending while its request runs, is settled once, and never changes afterwards. Ids sort by time, so that old
-- rows are deleted by a range at the low end of the primary key.
CREATE TABLE chat_requests (
  id text COLLATE "C" NOT NULL,
  -- The X-Request-ID of the request, which clients may choose: not unique.
  request_id text NOT NULL,
  tenant_id text NOT NULL,
  project_id text NOT NULL,
  mode "Mode" NOT NULL,
  key_id text,
  endpoint text NOT NULL,
  model text NOT NULL,
  upstream text,
  is_stream boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'settled')),
  status text CHECK (status IN ('succeeded', 'failed', 'cancelled')),
  http_status smallint,
  error_code text,
  -- While pending: the estimate of the prompt, and what was streamed so far.
  prompt_tokens bigint NOT NULL,
  completion_tokens bigint NOT NULL DEFAULT 0,
  has_progress boolean NOT NULL DEFAULT false,
  -- Prices in picos (10^-12) per token.
  input_picos bigint NOT NULL,
  output_picos bigint NOT NULL,
  cost_nanos bigint NOT NULL DEFAULT 0,
  is_estimated boolean NOT NULL DEFAULT false,
  is_cached boolean NOT NULL DEFAULT false,
  is_simulated boolean NOT NULL DEFAULT false,
  has_bodies boolean NOT NULL DEFAULT false,
  tries integer NOT NULL DEFAULT 0,
  first_byte_ms integer,
  total_ms integer,
  reserved_nanos bigint NOT NULL,
  reserved_tokens bigint NOT NULL,
  -- The budgets that the request counts against: those that existed when it began.
  budget_ids text[] NOT NULL,
  -- The svc process that runs the request; see chat_processes.
  process_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  settled_at timestamptz(3),
  PRIMARY KEY (id)
) WITH (fillfactor = 70);
CREATE INDEX chat_requests_tenant_idx ON chat_requests (tenant_id, mode, id);
CREATE INDEX chat_requests_project_idx ON chat_requests (project_id, mode, id);
CREATE INDEX chat_requests_pending_idx ON chat_requests (process_id) WHERE (state = 'pending'::text);

-- What requests and answers said, sealed; only of projects that have switched it on.
CREATE TABLE chat_bodies (
  id text COLLATE "C" NOT NULL,
  request text NOT NULL,
  response text NOT NULL,
  PRIMARY KEY (id)
);

-- Each window of a budget with requests. A reservation is what a running request may cost.
CREATE TABLE chat_budget_spend (
  budget_id text NOT NULL,
  window_start timestamptz(0) NOT NULL,
  spent_nanos bigint NOT NULL DEFAULT 0,
  spent_tokens bigint NOT NULL DEFAULT 0,
  reserved_nanos bigint NOT NULL DEFAULT 0,
  reserved_tokens bigint NOT NULL DEFAULT 0,
  -- A request was refused in this window.
  has_refused boolean NOT NULL DEFAULT false,
  -- The highest percentage for which an event was recorded.
  reached_percent smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (budget_id, window_start)
) WITH (fillfactor = 50);
CREATE INDEX chat_budget_spend_window_idx ON chat_budget_spend (window_start);

-- The svc processes that run chat requests. `beats` grows while a process lives; the requests of one whose `beats`
-- does not grow are settled by another.
CREATE TABLE chat_processes (
  id text NOT NULL,
  beats bigint NOT NULL,
  PRIMARY KEY (id)
);

-- Answers that equal requests get, sealed. `key` is a keyed hash of the request.
CREATE TABLE chat_cache (
  project_id text NOT NULL,
  mode "Mode" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  bytes integer NOT NULL,
  stored_at timestamptz(3) NOT NULL,
  used_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, mode, key)
);
CREATE INDEX chat_cache_expires_idx ON chat_cache (expires_at);
CREATE INDEX chat_cache_used_idx ON chat_cache (used_at);

-- Reserves what each request can cost and records it as pending, or as refused. Waits for no disk: after a crash of
-- PostgreSQL itself the last instants can be missing. The counters of all budgets are locked in one order, so that two
-- processes cannot wait for each other.
CREATE FUNCTION chat_begin(entries JSONB, process TEXT)
RETURNS TABLE (id TEXT, refused_by TEXT, budget_ids TEXT[], stores_bodies BOOLEAN, cache_seconds INTEGER,
  offers_channel_id TEXT, offers_limit INTEGER) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  e RECORD;
  b RECORD;
  projects TEXT[];
  locked TEXT[];
  counted TEXT[];
  refused TEXT;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO chat_processes (id, beats) VALUES (process, 0) ON CONFLICT DO NOTHING;
  -- Arrays, here and below, have the rows found by their index whatever the planner knows about the tables.
  projects := ARRAY(SELECT DISTINCT r.project_id FROM jsonb_to_recordset(entries) AS r(project_id TEXT));
  locked := ARRAY(
    SELECT DISTINCT x.id FROM jsonb_to_recordset(entries) AS r(project_id TEXT, mode "Mode", key_id TEXT)
    JOIN chat_budgets x ON x.project_id = ANY(projects) AND x.project_id = r.project_id AND x.mode = r.mode
      AND (x.key_id IS NULL OR x.key_id = r.key_id) AND x.deleted_at IS NULL);
  IF cardinality(locked) > 0 THEN
    INSERT INTO chat_budget_spend AS s (budget_id, window_start)
    SELECT DISTINCT x.id, date_trunc(x."window"::text, r.created_at, 'UTC')
    FROM jsonb_to_recordset(entries) AS r(project_id TEXT, mode "Mode", key_id TEXT, created_at TIMESTAMPTZ)
    JOIN chat_budgets x ON x.id = ANY(locked) AND x.project_id = r.project_id AND x.mode = r.mode
      AND (x.key_id IS NULL OR x.key_id = r.key_id)
    ORDER BY 1, 2
    ON CONFLICT (budget_id, window_start) DO UPDATE SET spent_nanos = s.spent_nanos WHERE false;
  END IF;
  FOR e IN SELECT * FROM jsonb_to_recordset(entries) AS r(
    id TEXT, request_id TEXT, tenant_id TEXT, project_id TEXT, mode "Mode", key_id TEXT, endpoint TEXT, model TEXT,
    is_stream BOOLEAN, prompt_tokens BIGINT, input_picos BIGINT, output_picos BIGINT, reserved_nanos BIGINT,
    reserved_tokens BIGINT, created_at TIMESTAMPTZ)
  LOOP
    counted := '{}';
    refused := NULL;
    IF cardinality(locked) > 0 THEN
      FOR b IN SELECT x.id, x.action, x.amount_micros * 1000 AS nanos, x.tokens,
          s.spent_nanos + s.reserved_nanos AS used_nanos, s.spent_tokens + s.reserved_tokens AS used_tokens
        FROM chat_budgets x JOIN chat_budget_spend s
          ON s.budget_id = x.id AND s.window_start = date_trunc(x."window"::text, e.created_at, 'UTC')
        WHERE x.id = ANY(locked) AND x.project_id = e.project_id AND x.mode = e.mode
          AND (x.key_id IS NULL OR x.key_id = e.key_id) AND x.deleted_at IS NULL
        ORDER BY x.id
      LOOP
        counted := counted || b.id;
        IF refused IS NULL AND b.action = 'block' AND (
          (e.reserved_nanos > 0 AND b.used_nanos + e.reserved_nanos > b.nanos)
          OR (e.reserved_tokens > 0 AND b.used_tokens + e.reserved_tokens > b.tokens))
        THEN refused := b.id;
        END IF;
      END LOOP;
    END IF;
    IF refused IS NOT NULL THEN
      UPDATE chat_budget_spend s SET has_refused = true FROM chat_budgets x
      WHERE x.id = refused AND s.budget_id = x.id AND NOT s.has_refused
        AND s.window_start = date_trunc(x."window"::text, e.created_at, 'UTC');
    ELSIF cardinality(counted) > 0 THEN
      UPDATE chat_budget_spend s SET reserved_nanos = s.reserved_nanos + e.reserved_nanos,
        reserved_tokens = s.reserved_tokens + e.reserved_tokens
      FROM chat_budgets x
      WHERE x.id = ANY(counted) AND s.budget_id = x.id
        AND s.window_start = date_trunc(x."window"::text, e.created_at, 'UTC');
    END IF;
    INSERT INTO chat_requests (id, request_id, tenant_id, project_id, mode, key_id, endpoint, model, is_stream,
      prompt_tokens, input_picos, output_picos, reserved_nanos, reserved_tokens, budget_ids, process_id, created_at,
      state, status, http_status, error_code, is_simulated, total_ms, settled_at)
    VALUES (e.id, e.request_id, e.tenant_id, e.project_id, e.mode, e.key_id, e.endpoint, e.model, e.is_stream,
      CASE WHEN refused IS NULL THEN e.prompt_tokens ELSE 0 END, e.input_picos, e.output_picos,
      CASE WHEN refused IS NULL THEN e.reserved_nanos ELSE 0 END,
      CASE WHEN refused IS NULL THEN e.reserved_tokens ELSE 0 END,
      CASE WHEN refused IS NULL THEN counted ELSE '{}' END, process, e.created_at,
      CASE WHEN refused IS NULL THEN 'pending' ELSE 'settled' END,
      CASE WHEN refused IS NOT NULL THEN 'failed' END, CASE WHEN refused IS NOT NULL THEN 429 END,
      CASE WHEN refused IS NOT NULL THEN 'budget_exceeded' END, e.mode = 'test',
      CASE WHEN refused IS NOT NULL THEN 0 END, CASE WHEN refused IS NOT NULL THEN e.created_at END);
    id := e.id;
    refused_by := refused;
    budget_ids := counted;
    SELECT t.stores_bodies, t.cache_seconds, t.offers_channel_id, t.offers_limit
      INTO stores_bodies, cache_seconds, offers_channel_id, offers_limit
      FROM chat_settings t WHERE t.project_id = e.project_id AND t.mode = e.mode;
    RETURN NEXT;
  END LOOP;
END $$;

-- How far running requests are. Waits for no disk.
CREATE FUNCTION chat_progress(entries JSONB) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  ids TEXT[] := ARRAY(SELECT r.id FROM jsonb_to_recordset(entries) AS r(id TEXT));
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM FROM chat_requests q WHERE q.id = ANY(ids) AND q.state = 'pending' ORDER BY q.id FOR UPDATE;
  UPDATE chat_requests q SET prompt_tokens = r.prompt_tokens, completion_tokens = r.completion_tokens,
    has_progress = true
  FROM jsonb_to_recordset(entries) AS r(id TEXT, prompt_tokens BIGINT, completion_tokens BIGINT)
  WHERE q.id = ANY(ids) AND q.id = r.id AND q.state = 'pending';
END $$;

-- Bills each request once: what is settled already is left as it is. A request whose beginning was lost in a crash of
-- PostgreSQL is inserted. Counts what it cost in the window in which it began, and releases its reservation there.
-- Waits for no disk, because requests that begin would wait for the locked counters meanwhile: the caller flushes.
CREATE FUNCTION chat_settle(outcomes JSONB) RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
DECLARE
  ids TEXT[] := ARRAY(SELECT r.id FROM jsonb_to_recordset(outcomes) AS r(id TEXT));
  done JSONB;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM FROM chat_requests q WHERE q.id = ANY(ids) AND q.state = 'pending' ORDER BY q.id FOR UPDATE;
  WITH o AS (
    SELECT * FROM jsonb_to_recordset(outcomes) AS r(
      id TEXT, request_id TEXT, tenant_id TEXT, project_id TEXT, mode "Mode", key_id TEXT, endpoint TEXT, model TEXT,
      is_stream BOOLEAN, input_picos BIGINT, output_picos BIGINT, budget_ids TEXT[], process_id TEXT,
      created_at TIMESTAMPTZ, was_admitted BOOLEAN, upstream TEXT, status TEXT, http_status INTEGER, error_code TEXT,
      prompt_tokens BIGINT, completion_tokens BIGINT, cost_nanos BIGINT, is_estimated BOOLEAN, is_cached BOOLEAN,
      is_simulated BOOLEAN, tries INTEGER, first_byte_ms INTEGER, total_ms INTEGER, settled_at TIMESTAMPTZ,
      request_body TEXT, response_body TEXT)
  ), updated AS (
    UPDATE chat_requests q SET state = 'settled', upstream = o.upstream, status = o.status,
      http_status = o.http_status, error_code = o.error_code, prompt_tokens = o.prompt_tokens,
      completion_tokens = o.completion_tokens, cost_nanos = o.cost_nanos, is_estimated = o.is_estimated,
      is_cached = o.is_cached, is_simulated = o.is_simulated, tries = o.tries, first_byte_ms = o.first_byte_ms,
      total_ms = o.total_ms, settled_at = o.settled_at, has_bodies = o.request_body IS NOT NULL
    FROM o WHERE q.id = ANY(ids) AND q.id = o.id AND q.state = 'pending'
    RETURNING q.*
  ), inserted AS (
    INSERT INTO chat_requests (id, request_id, tenant_id, project_id, mode, key_id, endpoint, model, is_stream,
      input_picos, output_picos, reserved_nanos, reserved_tokens, budget_ids, process_id, created_at, state, upstream,
      status, http_status, error_code, prompt_tokens, completion_tokens, cost_nanos, is_estimated, is_cached,
      is_simulated, tries, first_byte_ms, total_ms, settled_at, has_bodies)
    SELECT o.id, o.request_id, o.tenant_id, o.project_id, o.mode, o.key_id, o.endpoint, o.model, o.is_stream,
      o.input_picos, o.output_picos, 0, 0, o.budget_ids, o.process_id, o.created_at, 'settled', o.upstream, o.status,
      o.http_status, o.error_code, o.prompt_tokens, o.completion_tokens, o.cost_nanos, o.is_estimated, o.is_cached,
      o.is_simulated, o.tries, o.first_byte_ms, o.total_ms, o.settled_at, o.request_body IS NOT NULL
    FROM o WHERE o.was_admitted
    ON CONFLICT (id) DO NOTHING
    RETURNING *
  ), both_kinds AS (SELECT * FROM updated UNION ALL SELECT * FROM inserted),
  bodies AS (
    INSERT INTO chat_bodies (id, request, response)
    SELECT o.id, o.request_body, o.response_body FROM o JOIN both_kinds k ON k.id = o.id
    WHERE o.request_body IS NOT NULL
    ON CONFLICT DO NOTHING
  )
  SELECT jsonb_agg(jsonb_build_object('id', k.id, 'budget_ids', k.budget_ids, 'created_at', k.created_at,
      'nanos', k.cost_nanos, 'tokens', CASE WHEN k.is_cached THEN 0 ELSE k.prompt_tokens + k.completion_tokens END,
      'reserved_nanos', k.reserved_nanos, 'reserved_tokens', k.reserved_tokens))
  INTO done FROM both_kinds k;
  IF done IS NULL THEN RETURN; END IF;
  INSERT INTO chat_budget_spend AS s (budget_id, window_start, spent_nanos, spent_tokens, reserved_nanos, reserved_tokens)
  SELECT x.id, date_trunc(x."window"::text, d.created_at, 'UTC'), sum(d.nanos), sum(d.tokens),
    -sum(d.reserved_nanos), -sum(d.reserved_tokens)
  FROM jsonb_to_recordset(done) AS d(budget_ids TEXT[], created_at TIMESTAMPTZ, nanos BIGINT, tokens BIGINT,
    reserved_nanos BIGINT, reserved_tokens BIGINT)
  JOIN chat_budgets x ON x.id = ANY(d.budget_ids)
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (budget_id, window_start) DO UPDATE SET spent_nanos = s.spent_nanos + excluded.spent_nanos,
    spent_tokens = s.spent_tokens + excluded.spent_tokens,
    reserved_nanos = s.reserved_nanos + excluded.reserved_nanos,
    reserved_tokens = s.reserved_tokens + excluded.reserved_tokens;
  RETURN QUERY SELECT d.id FROM jsonb_to_recordset(done) AS d(id TEXT);
END $$;

-- Settles the requests of an ended process as its journal tells. What another process has settled meanwhile, without
-- the journal and so as estimated, is undone first: each request is billed once, and as it really ended.
CREATE FUNCTION chat_recover(outcomes JSONB) RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
DECLARE
  ids TEXT[] := ARRAY(SELECT r.id FROM jsonb_to_recordset(outcomes) AS r(id TEXT));
BEGIN
  WITH guessed AS MATERIALIZED (
    SELECT q.id, q.budget_ids, q.created_at, q.cost_nanos, q.prompt_tokens + q.completion_tokens AS tokens
    FROM chat_requests q WHERE q.id = ANY(ids) AND q.state = 'settled' AND q.error_code = 'process_ended'
    ORDER BY q.id FOR UPDATE
  ), reopened AS (
    UPDATE chat_requests q SET state = 'pending', cost_nanos = 0, reserved_nanos = 0, reserved_tokens = 0
    FROM guessed g WHERE q.id = g.id
  )
  UPDATE chat_budget_spend s SET spent_nanos = s.spent_nanos - d.nanos, spent_tokens = s.spent_tokens - d.tokens
  FROM (
    SELECT x.id, date_trunc(x."window"::text, g.created_at, 'UTC') AS window_start, sum(g.cost_nanos) AS nanos,
      sum(g.tokens) AS tokens
    FROM guessed g JOIN chat_budgets x ON x.id = ANY(g.budget_ids)
    GROUP BY 1, 2
  ) d
  WHERE s.budget_id = d.id AND s.window_start = d.window_start;
  RETURN QUERY SELECT chat_settle(outcomes);
END $$;

-- ======== Gateway ========

CREATE TABLE chat_upstreams (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  base_url text NOT NULL, secret_name text, models jsonb NOT NULL, weight double precision NOT NULL,
  priority integer NOT NULL, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, PRIMARY KEY (id));
CREATE INDEX chat_upstreams_tenant_id_mode_id_idx ON chat_upstreams (tenant_id, mode, id);
CREATE UNIQUE INDEX chat_upstreams_project_id_mode_name_key ON chat_upstreams (project_id, mode, name);

-- ======== Queues ========

CREATE TABLE queues (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  visibility_timeout_seconds integer NOT NULL, retention_seconds integer NOT NULL, max_receives integer NOT NULL,
  dlq_id text, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, deleted_at timestamptz(3),
  PRIMARY KEY (id));
CREATE INDEX queues_tenant_id_mode_id_idx ON queues (tenant_id, mode, id);
CREATE INDEX queues_dlq_id_idx ON queues (dlq_id);
-- A name identifies one queue of a project and mode.
CREATE UNIQUE INDEX queues_name_idx ON queues (project_id, mode, name) WHERE (deleted_at IS NULL);

-- Every turn of a queue. The state of a queue is what its entries say, in order: see entry.ts of the queue log.
CREATE TABLE queue_log (
  queue_id text NOT NULL,
  seq bigint NOT NULL,
  entry text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (queue_id, seq)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0.2);

-- The state after an entry, from time to time, so that older entries can be deleted.
CREATE TABLE queue_snapshots (
  queue_id text NOT NULL,
  seq bigint NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (queue_id, seq)
);

-- Messages at neighbouring positions of one turn, as many as fit into a page. Positions are given by the entry that
-- stores the messages, in the same statement: their order is the order of commits.
CREATE TABLE queue_chunks (
  queue_id text NOT NULL,
  -- The position of the first message.
  first bigint NOT NULL,
  count integer NOT NULL,
  -- When they came to this queue: later than they were sent after a move.
  stored_at bigint NOT NULL,
  -- JSON of what a queue's state keeps of them; see pack-messages.ts of the queue log.
  messages text NOT NULL,
  -- One record after the other; see record.ts of the queue log.
  records bytea NOT NULL,
  PRIMARY KEY (queue_id, first)
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 7000, autovacuum_vacuum_insert_scale_factor = 0.2);

CREATE TABLE queue_deduplications (
  queue_id text NOT NULL,
  deduplication_id text NOT NULL,
  message_id text NOT NULL,
  sent_at bigint NOT NULL,
  PRIMARY KEY (queue_id, deduplication_id)
);
CREATE INDEX queue_deduplications_sent_at_idx ON queue_deduplications (sent_at);

-- How far the rows of a queue are deleted; one row per queue, updated when rows were deleted.
CREATE TABLE queue_sweeps (
  queue_id text NOT NULL,
  "position" bigint NOT NULL,
  seq bigint NOT NULL,
  -- The queue was deleted: all of its rows go.
  removed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (queue_id)
);
CREATE INDEX queue_sweeps_removed_idx ON queue_sweeps (queue_id) WHERE removed;

-- What happened in a queue in one minute, and how many messages it had at the last measurement in it. A queue without
-- messages in which nothing happens has no rows, so the last row of a queue says how many messages it has since. Kept
-- for 14 days.
CREATE TABLE queue_minutes (
  queue_id text NOT NULL,
  minute timestamptz(0) NOT NULL,
  sent bigint NOT NULL,
  received bigint NOT NULL,
  acknowledged bigint NOT NULL,
  waiting bigint NOT NULL,
  delayed bigint NOT NULL,
  in_flight bigint NOT NULL,
  PRIMARY KEY (queue_id, minute)
) WITH (fillfactor = 80);
CREATE INDEX queue_minutes_minute_idx ON queue_minutes (minute);

-- ======== Buckets and objects ========

CREATE TYPE "BucketVersioning" AS ENUM ('off', 'on', 'suspended');
CREATE TYPE "StorageTier" AS ENUM ('hot', 'warm', 'cold', 'archive');

CREATE TABLE buckets (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  is_default boolean NOT NULL DEFAULT false, versioning "BucketVersioning" NOT NULL DEFAULT 'off'::"BucketVersioning",
  public_read boolean NOT NULL DEFAULT false, cors_rules jsonb NOT NULL DEFAULT '[]'::jsonb,
  lifecycle_rules jsonb NOT NULL DEFAULT '[]'::jsonb, objects bigint NOT NULL DEFAULT 0,
  versions bigint NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0, deleting_since timestamptz(3),
  deleting_total bigint, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
  tier "StorageTier" NOT NULL DEFAULT 'hot'::"StorageTier", warm_bytes bigint NOT NULL DEFAULT 0,
  cold_bytes bigint NOT NULL DEFAULT 0, archive_bytes bigint NOT NULL DEFAULT 0, PRIMARY KEY (id));
CREATE UNIQUE INDEX buckets_name_key ON buckets (name);
CREATE INDEX buckets_tenant_id_mode_id_idx ON buckets (tenant_id, mode, id);
CREATE INDEX buckets_project_id_mode_idx ON buckets (project_id, mode);
-- One default bucket per project and mode, also when two processes create it at once.
CREATE UNIQUE INDEX buckets_default_key ON buckets (project_id, mode) WHERE is_default;
-- Deletions that are under way, which every worker looks for.
CREATE INDEX buckets_deleting_idx ON buckets (deleting_since) WHERE (deleting_since IS NOT NULL);

-- Every version of every object, delete markers included. Blobs are named after `id`: <tenant>/<bucket>/<id>, or, if
-- `parts` is set, <tenant>/<bucket>/<id>.<number>.<suffix> for each [number, suffix, bytes] of it.
CREATE TABLE object_versions (
  id text NOT NULL,
  tenant_id text NOT NULL,
  bucket_id text NOT NULL,
  key text COLLATE "C" NOT NULL,
  -- Order of the versions of a key: the newest has the lowest.
  rank bigint NOT NULL,
  -- 'null', or a text that begins with the rank.
  version_id text NOT NULL,
  is_latest boolean NOT NULL,
  is_delete_marker boolean NOT NULL,
  size bigint NOT NULL,
  etag text NOT NULL,
  last_modified timestamptz(3) NOT NULL,
  -- When another version became the latest.
  noncurrent_since timestamptz(3),
  content_type text NOT NULL,
  headers jsonb NOT NULL,
  user_metadata jsonb NOT NULL,
  checksums jsonb NOT NULL,
  checksum_type text NOT NULL,
  parts jsonb,
  -- The blob of a version is <tenant>/<bucket>/<id>, with .<blob> if that is set; its end is the storage class, as is
  -- that of the suffixes of parts.
  tier "StorageTier" NOT NULL DEFAULT 'hot'::"StorageTier",
  blob text,
  -- From when to when an archived version can be read.
  restore_at timestamptz(3),
  restore_until timestamptz(3),
  PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
-- Versions in the order of their listing, and a version by its id, which contains the rank.
CREATE UNIQUE INDEX object_versions_rank_key ON object_versions (bucket_id, key, rank);
-- What a listing of objects reads, and nothing else: neither older versions nor deleted keys.
CREATE UNIQUE INDEX object_versions_current_key ON object_versions (bucket_id, key)
  WHERE (is_latest AND (NOT is_delete_marker));
-- The version without an id, where it is not the latest.
CREATE UNIQUE INDEX object_versions_null_key ON object_versions (bucket_id, key)
  WHERE ((version_id = 'null'::text) AND (NOT is_latest));

-- Multipart uploads under way, and for a day the completed ones, so that a repeated completion has the same result.
CREATE TABLE object_uploads (
  id text NOT NULL,
  tenant_id text NOT NULL,
  bucket_id text NOT NULL,
  key text COLLATE "C" NOT NULL,
  started_at timestamptz(3) NOT NULL,
  content_type text NOT NULL,
  headers jsonb NOT NULL,
  user_metadata jsonb NOT NULL,
  algorithm text,
  checksum_type text,
  -- The result of the completion.
  completed jsonb,
  tier "StorageTier" NOT NULL DEFAULT 'hot'::"StorageTier",
  PRIMARY KEY (id)
);
CREATE INDEX object_uploads_key_idx ON object_uploads (bucket_id, key, id) WHERE (completed IS NULL);
CREATE INDEX object_uploads_started_at_idx ON object_uploads (started_at);

-- Its blob is <tenant>/<bucket>/<upload_id>.<number>.<suffix>.
CREATE TABLE object_parts (
  upload_id text NOT NULL,
  number integer NOT NULL,
  suffix text NOT NULL,
  size bigint NOT NULL,
  etag text NOT NULL,
  checksums jsonb NOT NULL,
  last_modified timestamptz(3) NOT NULL,
  PRIMARY KEY (upload_id, number)
);

-- Blobs that nothing refers to any more, and when they are removed from the store.
CREATE TABLE blob_removals (
  name text NOT NULL,
  remove_at timestamptz(3) NOT NULL,
  PRIMARY KEY (name)
);
CREATE INDEX blob_removals_remove_at_idx ON blob_removals (remove_at);

-- How far the background work on all objects has come, by its name.
CREATE TABLE object_sweeps (
  name text NOT NULL,
  "position" jsonb NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (name)
);

-- What a bucket had in an hour; an hour without a row is like the last one before it that has one. Kept for 90 days.
CREATE TABLE bucket_hours (
  bucket_id text NOT NULL,
  hour timestamptz(0) NOT NULL,
  objects bigint NOT NULL,
  versions bigint NOT NULL,
  bytes bigint NOT NULL,
  warm_bytes bigint NOT NULL DEFAULT 0,
  cold_bytes bigint NOT NULL DEFAULT 0,
  archive_bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (bucket_id, hour)
);
CREATE INDEX bucket_hours_hour_idx ON bucket_hours (hour);

-- Blobs that no object has, such as those stored since the backup from which a database was restored.
CREATE TABLE unknown_blobs (
  name text NOT NULL,
  found_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (name)
);
-- How many there are is listed with what else has no record.
CREATE INDEX unknown_blobs_seen_at_idx ON unknown_blobs (seen_at);

-- ======== Secrets ========

CREATE TABLE master_keys (
  version integer NOT NULL, salt text NOT NULL, check_value text NOT NULL, created_at timestamptz(3) NOT NULL,
  retired_at timestamptz(3), PRIMARY KEY (version));

CREATE TABLE secrets (
  id text NOT NULL, tenant_id text NOT NULL, project_id text, mode "Mode" NOT NULL, name text NOT NULL,
  version integer NOT NULL, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, PRIMARY KEY (id));
CREATE INDEX secrets_tenant_id_mode_id_idx ON secrets (tenant_id, mode, id);
-- Prisma cannot express NULLS NOT DISTINCT. A name identifies one secret of a project, or of the whole tenant.
CREATE UNIQUE INDEX secrets_name_idx ON secrets (tenant_id, project_id, mode, name) NULLS NOT DISTINCT;

CREATE TABLE secret_versions (
  secret_id text NOT NULL, number integer NOT NULL, sealed_value text NOT NULL, wrapped_key text NOT NULL,
  master_key_version integer NOT NULL, created_at timestamptz(3) NOT NULL, PRIMARY KEY (secret_id, number));
CREATE INDEX secret_versions_master_key_version_idx ON secret_versions (master_key_version);

-- ======== Resources ========

CREATE TABLE resources (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, plane text NOT NULL,
  service text NOT NULL, kind text NOT NULL, name text NOT NULL, created_by jsonb NOT NULL, spec jsonb NOT NULL,
  spec_hash text NOT NULL, state text NOT NULL, reason jsonb, generation integer NOT NULL,
  observed_generation integer, observed jsonb, observed_at timestamptz(3), failures integer NOT NULL DEFAULT 0,
  next_at timestamptz(3), lease_token text, lease_until timestamptz(3), created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL, archived_at timestamptz(3), secret_hashes jsonb NOT NULL DEFAULT '{}'::jsonb,
  PRIMARY KEY (id)) WITH (fillfactor = 50);
CREATE INDEX resources_tenant_id_mode_id_idx ON resources (tenant_id, mode, id);
CREATE INDEX resources_next_at_idx ON resources (next_at);
-- A name means one resource, besides placeholders, which have no effect.
CREATE UNIQUE INDEX resources_name_key ON resources (project_id, mode, plane, service, name)
  WHERE ((archived_at IS NULL) AND (state <> 'placeholder'::text));
CREATE INDEX resources_ready_endpoints_idx ON resources (id)
  WHERE ((plane = 'gpuc'::text) AND (service = 'inference'::text) AND (state = 'ready'::text) AND (failures = 0) AND (archived_at IS NULL));
CREATE TRIGGER resources_wake_insert AFTER INSERT ON resources
  FOR EACH ROW WHEN (NEW.next_at IS NOT NULL) EXECUTE FUNCTION wake_rounds('resources');
-- A claim postpones a resource, which needs no round.
CREATE TRIGGER resources_wake_update AFTER UPDATE OF next_at ON resources
  FOR EACH ROW WHEN (NEW.next_at < OLD.next_at OR (OLD.next_at IS NULL AND NEW.next_at IS NOT NULL)) EXECUTE FUNCTION
  wake_rounds('resources');
CREATE TRIGGER resources_wake_inference AFTER UPDATE OF state, failures ON resources
  FOR EACH ROW WHEN (NEW.service = 'inference' AND NEW.state = 'ready' AND (OLD.state IS DISTINCT FROM NEW.state OR
  OLD.failures IS DISTINCT FROM NEW.failures)) EXECUTE FUNCTION wake_rounds('inference');

CREATE TABLE activations (
  id text NOT NULL, tenant_id text NOT NULL, mode "Mode" NOT NULL, plane text NOT NULL, service text NOT NULL,
  plan_tier text NOT NULL, started_at timestamptz(3) NOT NULL, ended_at timestamptz(3), PRIMARY KEY (id));
CREATE INDEX activations_tenant_id_mode_plane_service_idx ON activations (tenant_id, mode, plane, service);
CREATE UNIQUE INDEX activations_active_key ON activations (tenant_id, mode, plane, service) WHERE (ended_at IS NULL);

CREATE TABLE model_conversions (
  id text NOT NULL, tenant_id text NOT NULL, generation integer NOT NULL, request jsonb NOT NULL,
  paused boolean NOT NULL, progress jsonb, result jsonb, failure jsonb, attempts integer NOT NULL DEFAULT 0,
  claim text, claimed_until timestamptz(3), started_at timestamptz(3), finished_at timestamptz(3), PRIMARY KEY (id));
CREATE INDEX model_conversions_finished_at_claimed_until_idx ON model_conversions (finished_at, claimed_until);
CREATE TRIGGER model_conversions_wake_insert AFTER INSERT ON model_conversions
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('conversions');
-- Not for a lease that is extended.
CREATE TRIGGER model_conversions_wake_update AFTER UPDATE OF paused, finished_at, claimed_until ON model_conversions
  FOR EACH ROW WHEN (NEW.finished_at IS NULL AND NOT NEW.paused AND (OLD.paused OR OLD.finished_at IS NOT NULL OR
  NEW.claimed_until IS NULL OR NEW.claimed_until < OLD.claimed_until)) EXECUTE FUNCTION wake_rounds('conversions');

CREATE TABLE telemetry_stores (
  id text NOT NULL, tenant_id text NOT NULL, signal text NOT NULL, token_hash text NOT NULL,
  retention_days integer NOT NULL, suspended boolean NOT NULL, removing_since timestamptz(3), PRIMARY KEY (id));

-- ======== GPU pools and nodes ========

CREATE TYPE "CordonSource" AS ENUM ('operator', 'health', 'upgrade', 'tenant');
CREATE TYPE "FleetUpgradeState" AS ENUM ('running', 'paused', 'completed', 'cancelled');
CREATE TYPE "NodeEventSeverity" AS ENUM ('ok', 'info', 'warn', 'crit');
CREATE TYPE "NodeUpgradeState" AS ENUM ('emptying', 'upgrading', 'upgraded', 'failed');
CREATE TYPE "UpgradeStrategy" AS ENUM ('rolling', 'blue_green');

CREATE TABLE gpu_devices (
  pool text NOT NULL, node text NOT NULL, device integer NOT NULL, run_id text NOT NULL,
  PRIMARY KEY (pool, node, device));
CREATE INDEX gpu_devices_run_id_idx ON gpu_devices (run_id);

CREATE TABLE gpu_pools (pool text NOT NULL, version bigint NOT NULL, PRIMARY KEY (pool));

CREATE TABLE gpu_nodes (
  pool text NOT NULL, node text NOT NULL, gpus integer NOT NULL, cpu_milli integer NOT NULL,
  memory_mib integer NOT NULL, domain text, version bigint NOT NULL, cordoned_at timestamptz(3), cordon_reason text,
  drains boolean NOT NULL DEFAULT false, simulated boolean NOT NULL, cordon_source "CordonSource",
  flaps boolean NOT NULL DEFAULT false, software_version text NOT NULL DEFAULT '0.1.0',
  upgrade_begun_at timestamptz(3), upgrade_id text, upgrade_state "NodeUpgradeState", upgraded_at timestamptz(3),
  runner_id text, gpu_uuids text[] NOT NULL DEFAULT '{}'::text[], withheld integer[] NOT NULL DEFAULT '{}'::integer[],
  cordon_rid text, PRIMARY KEY (pool, node));
CREATE INDEX gpu_nodes_pool_version_idx ON gpu_nodes (pool, version);
-- Reservations get other devices for those of nodes that accept no pods.
CREATE TRIGGER gpu_nodes_wake_reservations AFTER UPDATE OF cordoned_at, withheld ON gpu_nodes
  FOR EACH ROW WHEN (NEW.cordoned_at IS DISTINCT FROM OLD.cordoned_at OR NEW.withheld IS DISTINCT FROM OLD.withheld)
  EXECUTE FUNCTION wake_rounds('reservations');
CREATE TRIGGER gpu_nodes_wake_cordons AFTER UPDATE OF cordon_source ON gpu_nodes
  FOR EACH ROW WHEN (NEW.cordon_source = 'tenant') EXECUTE FUNCTION wake_rounds('cordons');
CREATE TRIGGER gpu_nodes_wake_pods AFTER UPDATE OF drains ON gpu_nodes
  FOR EACH ROW WHEN (NEW.drains IS DISTINCT FROM OLD.drains) EXECUTE FUNCTION wake_rounds('pods');

CREATE TABLE gpu_nominations (
  pool text NOT NULL, node text NOT NULL, device integer NOT NULL, run_id text NOT NULL,
  PRIMARY KEY (pool, node, device));
CREATE INDEX gpu_nominations_run_id_idx ON gpu_nominations (run_id);

CREATE TABLE gpu_pool_samples (
  pool text NOT NULL, at timestamptz(3) NOT NULL, gpus integer NOT NULL, used_gpus integer NOT NULL,
  scattered_gpus integer NOT NULL, PRIMARY KEY (pool, at));
CREATE INDEX gpu_pool_samples_at_idx ON gpu_pool_samples (at);

CREATE TABLE gpu_node_events (
  pool text NOT NULL, node text NOT NULL, number integer NOT NULL, severity "NodeEventSeverity" NOT NULL,
  kind text NOT NULL, message text NOT NULL, at timestamptz(3) NOT NULL, PRIMARY KEY (pool, node, number));

CREATE TABLE fleet_upgrades (
  id text NOT NULL, pool text NOT NULL, target_version text, strategy "UpgradeStrategy" NOT NULL,
  max_unavailable integer NOT NULL, wait_minutes integer NOT NULL,
  state "FleetUpgradeState" NOT NULL DEFAULT 'running'::"FleetUpgradeState", pause_reason text,
  nodes integer NOT NULL, upgraded_nodes integer NOT NULL, started_at timestamptz(3) NOT NULL,
  resumed_at timestamptz(3), finished_at timestamptz(3), tenant_id text, node_names text[] DEFAULT ARRAY[]::text[],
  PRIMARY KEY (id, pool));
CREATE INDEX fleet_upgrades_pool_started_at_idx ON fleet_upgrades (pool, started_at);
-- A pool has one upgrade at a time.
CREATE UNIQUE INDEX fleet_upgrades_open_idx ON fleet_upgrades (pool)
  WHERE ((finished_at IS NULL) AND (tenant_id IS NULL));
CREATE UNIQUE INDEX fleet_upgrades_own_open_idx ON fleet_upgrades (tenant_id, pool) WHERE (finished_at IS NULL);
CREATE TRIGGER fleet_upgrades_wake AFTER INSERT OR UPDATE ON fleet_upgrades
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('upgrades');

CREATE TABLE gang_keeps (
  pool text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, gang_name text NOT NULL, nodes text[],
  members integer[], since timestamptz(3) NOT NULL, starts_by timestamptz(3) NOT NULL, PRIMARY KEY (pool));

CREATE TABLE node_events (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL,
  resource_id text NOT NULL, pool text NOT NULL, node text NOT NULL, severity "NodeEventSeverity" NOT NULL,
  signal text NOT NULL, details jsonb NOT NULL, cordoned boolean NOT NULL, outcome text NOT NULL,
  created_at timestamptz(3) NOT NULL, PRIMARY KEY (id));
CREATE INDEX node_events_tenant_id_mode_id_idx ON node_events (tenant_id, mode, id);
CREATE INDEX node_events_pool_node_created_at_idx ON node_events (pool, node, created_at);

-- ======== Pods ========

CREATE TYPE "CheckpointCause" AS ENUM ('request', 'reclaim');
CREATE TYPE "CheckpointState" AS ENUM ('saving', 'saved', 'failed');
CREATE TYPE "PodKind" AS ENUM ('pod', 'sandbox', 'function', 'workspace');
CREATE TYPE "PodStatus" AS ENUM ('pending', 'ready', 'stopping', 'stopped', 'completed', 'failed', 'reclaiming');
CREATE TYPE "Purchase" AS ENUM ('on_demand', 'spot', 'reserved');
CREATE TYPE "RunOrigin" AS ENUM ('image', 'files', 'checkpoint');

CREATE TABLE pods (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  image text NOT NULL, gpu text, gpu_count integer NOT NULL, region text, cpu integer NOT NULL,
  memory_mb integer NOT NULL, command jsonb, env jsonb NOT NULL, labels jsonb NOT NULL, status "PodStatus" NOT NULL,
  reason_code text, reason_text text, exit_code integer, exit_signal text, oom_killed boolean NOT NULL, runtime jsonb,
  run_number integer NOT NULL, price_nanos_per_hour bigint NOT NULL, metered_seconds integer NOT NULL,
  created_at timestamptz(3) NOT NULL, started_at timestamptz(3), stop_requested_at timestamptz(3),
  stopped_at timestamptz(3), expires_at timestamptz(3) NOT NULL, deleted_at timestamptz(3),
  auto_resume boolean NOT NULL DEFAULT false, spot boolean NOT NULL DEFAULT false, reservation_id text,
  checkpoint_bytes bigint NOT NULL DEFAULT 0, gang_name text, gang_size integer, registry_credentials jsonb,
  ports integer[] NOT NULL DEFAULT '{}'::integer[], volume_gb integer, volume_path text, volume_enforced boolean,
  kind "PodKind" NOT NULL DEFAULT 'pod'::"PodKind", seconds_max integer, resource_id text, required_runner_id text,
  mounts jsonb NOT NULL DEFAULT '[]'::jsonb, replica_of text, network_id text, network_subnet text,
  network_address text, PRIMARY KEY (id));
CREATE INDEX pods_tenant_id_mode_id_idx ON pods (tenant_id, mode, id);
CREATE INDEX pods_tenant_id_region_gpu_status_idx ON pods (tenant_id, region, gpu, status);
CREATE INDEX pods_status_idx ON pods (status);
CREATE INDEX pods_reservation_id_status_idx ON pods (reservation_id, status);
CREATE INDEX pods_project_id_gang_name_idx ON pods (project_id, gang_name);
CREATE UNIQUE INDEX pods_resource_id_key ON pods (resource_id) WHERE (deleted_at IS NULL);
CREATE INDEX pods_mounts_idx ON pods USING gin (mounts jsonb_path_ops);
CREATE INDEX pods_network_id_idx ON pods (network_id) WHERE (network_id IS NOT NULL);

-- An instance is looked at as soon as its pod changes.
CREATE FUNCTION "wake_instance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "resources" SET "next_at" = now()
  WHERE "id" = NEW."resource_id" AND "archived_at" IS NULL AND "next_at" > now();
  RETURN NULL;
END $$;
CREATE TRIGGER pods_wake_instance AFTER UPDATE OF status, deleted_at ON pods
  FOR EACH ROW WHEN (NEW.resource_id IS NOT NULL AND (OLD.status IS DISTINCT FROM NEW.status OR OLD.deleted_at IS
  DISTINCT FROM NEW.deleted_at)) EXECUTE FUNCTION wake_instance();
CREATE TRIGGER pods_wake_reservations_insert AFTER INSERT ON pods
  FOR EACH ROW WHEN (NEW.reservation_id IS NOT NULL) EXECUTE FUNCTION wake_rounds('reservations');
CREATE TRIGGER pods_wake_reservations_update AFTER UPDATE OF status ON pods
  FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM OLD.status AND (NEW.reservation_id IS NOT NULL OR NEW.spot)) EXECUTE
  FUNCTION wake_rounds('reservations');
CREATE TRIGGER pods_wake_sandboxes AFTER UPDATE OF status ON pods
  FOR EACH ROW WHEN (NEW.kind = 'sandbox' AND NEW.status IS DISTINCT FROM OLD.status) EXECUTE FUNCTION
  wake_rounds('sandboxes');
CREATE TRIGGER pods_wake_workspaces AFTER UPDATE OF status ON pods
  FOR EACH ROW WHEN (NEW.kind = 'workspace' AND NEW.status IS DISTINCT FROM OLD.status) EXECUTE FUNCTION
  wake_rounds('workspaces');
CREATE TRIGGER pods_wake_pods_insert AFTER INSERT ON pods FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');
CREATE TRIGGER pods_wake_pods_update AFTER UPDATE ON pods
  FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM OLD.status OR NEW.deleted_at IS DISTINCT FROM OLD.deleted_at OR
  NEW.run_number IS DISTINCT FROM OLD.run_number OR NEW.network_address IS DISTINCT FROM OLD.network_address OR
  NEW.stop_requested_at IS DISTINCT FROM OLD.stop_requested_at OR NEW.expires_at < OLD.expires_at) EXECUTE FUNCTION
  wake_rounds('pods');

CREATE TABLE pod_runs (
  id text NOT NULL, pod_id text NOT NULL, number integer NOT NULL, runner_id text, pool text, node text,
  devices integer[], sealed_secrets text, created_at timestamptz(3) NOT NULL, started_at timestamptz(3),
  observed_at timestamptz(3), ended_at timestamptz(3), removed_at timestamptz(3), notice_at timestamptz(3),
  reclaim_at timestamptz(3), checkpoint_id text, files_text text,
  origin "RunOrigin" NOT NULL DEFAULT 'image'::"RunOrigin", placed_at timestamptz(3), pulled_bytes bigint,
  volume_id text, PRIMARY KEY (id));
CREATE INDEX pod_runs_runner_id_ended_at_idx ON pod_runs (runner_id, ended_at);
CREATE UNIQUE INDEX pod_runs_pod_id_number_key ON pod_runs (pod_id, number);
CREATE INDEX pod_runs_pool_ended_at_idx ON pod_runs (pool, ended_at);
CREATE INDEX pod_runs_started_at_idx ON pod_runs (started_at);
-- The runs of which a machine has files, which are few.
CREATE INDEX pod_runs_kept_idx ON pod_runs (pod_id, runner_id) WHERE (removed_at IS NULL);
CREATE TRIGGER pod_runs_wake_insert AFTER INSERT ON pod_runs FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');
-- Not for what is written while a run goes on, such as when it was last seen.
CREATE TRIGGER pod_runs_wake_update AFTER UPDATE ON pod_runs
  FOR EACH ROW WHEN (NEW.runner_id IS DISTINCT FROM OLD.runner_id OR NEW.ended_at IS DISTINCT FROM OLD.ended_at OR
  NEW.notice_at IS DISTINCT FROM OLD.notice_at OR NEW.reclaim_at IS DISTINCT FROM OLD.reclaim_at) EXECUTE FUNCTION
  wake_rounds('pods');

CREATE TABLE pod_usage (
  run_id text NOT NULL, pod_id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL,
  "from" timestamptz(3) NOT NULL, "to" timestamptz(3) NOT NULL, seconds integer NOT NULL,
  price_nanos_per_hour bigint NOT NULL, purchase "Purchase" NOT NULL DEFAULT 'on_demand'::"Purchase",
  PRIMARY KEY (run_id));
CREATE INDEX pod_usage_tenant_id_mode_from_idx ON pod_usage (tenant_id, mode, "from");
CREATE INDEX pod_usage_tenant_id_mode_to_idx ON pod_usage (tenant_id, mode, "to");

CREATE TABLE pod_timeline (
  pod_id text NOT NULL, number integer NOT NULL, run integer NOT NULL, type text NOT NULL, message text NOT NULL,
  at timestamptz(3) NOT NULL, PRIMARY KEY (pod_id, number));

CREATE TABLE pod_runners (
  id text NOT NULL, kind text, isolation text, limits_enforced boolean NOT NULL, reason text,
  memory_mb integer NOT NULL, seen_at timestamptz(3) NOT NULL, address text, gpus jsonb,
  reaches_ports boolean NOT NULL DEFAULT false, keeps_volumes boolean NOT NULL DEFAULT false, volumes_gb integer,
  limits_volumes boolean NOT NULL DEFAULT false, has_networks boolean NOT NULL DEFAULT false,
  admitted_only boolean NOT NULL DEFAULT false, disk_mb integer, PRIMARY KEY (id));

CREATE TABLE pod_checkpoints (
  id text NOT NULL, pod_id text NOT NULL, run integer NOT NULL, cause "CheckpointCause" NOT NULL,
  state "CheckpointState" NOT NULL, reason_code text, reason_text text, size_bytes bigint,
  new_bytes bigint NOT NULL DEFAULT 0, chunks text[], created_at timestamptz(3) NOT NULL, saved_at timestamptz(3),
  volume_bytes bigint, volume_chunks text[] NOT NULL DEFAULT '{}'::text[], PRIMARY KEY (id));
CREATE INDEX pod_checkpoints_pod_id_id_idx ON pod_checkpoints (pod_id, id);
CREATE INDEX pod_checkpoints_state_idx ON pod_checkpoints (state);
CREATE TRIGGER pod_checkpoints_wake AFTER INSERT ON pod_checkpoints FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');

CREATE TABLE pod_chunks (
  id text NOT NULL, pod_id text NOT NULL, tenant_id text NOT NULL, digest text NOT NULL, size integer NOT NULL,
  stored_bytes integer NOT NULL, codec text NOT NULL, PRIMARY KEY (id));
CREATE UNIQUE INDEX pod_chunks_pod_id_digest_key ON pod_chunks (pod_id, digest);

CREATE TABLE joined_nodes (
  id text NOT NULL, name text NOT NULL, address text NOT NULL, generation integer NOT NULL,
  epoch bigint NOT NULL DEFAULT 0, cpu integer NOT NULL, memory_mb integer NOT NULL, gpus jsonb NOT NULL,
  version text NOT NULL, joined_at timestamptz(3) NOT NULL, region text NOT NULL DEFAULT 'use', boot_id text,
  restart_at timestamptz(3), restart_boot_id text, upgrade_begun_at timestamptz(3), upgrade_id text,
  upgrade_state "NodeUpgradeState", upgraded_at timestamptz(3), upgraded_by text, PRIMARY KEY (id));
CREATE UNIQUE INDEX joined_nodes_name_key ON joined_nodes (name);
CREATE TRIGGER joined_nodes_wake AFTER INSERT OR DELETE ON joined_nodes
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('nodes', 'pods');
CREATE TRIGGER joined_nodes_wake_update AFTER UPDATE ON joined_nodes
  FOR EACH ROW WHEN (NEW.generation IS DISTINCT FROM OLD.generation OR NEW.restart_boot_id IS DISTINCT FROM
  OLD.restart_boot_id OR NEW.upgrade_state IS DISTINCT FROM OLD.upgrade_state) EXECUTE FUNCTION wake_rounds('nodes',
  'pods');

CREATE TABLE warm_images (
  runner_id text NOT NULL, image text NOT NULL, demand double precision NOT NULL, bytes bigint,
  ready_at timestamptz(3), failures integer NOT NULL DEFAULT 0, failure text, retry_at timestamptz(3),
  PRIMARY KEY (runner_id, image));

-- Volumes on machines that no record names, such as those made since the backup from which a database was restored.
CREATE TABLE quarantine (
  runner_id text NOT NULL,
  id text NOT NULL,
  kind text NOT NULL,
  found_at timestamptz(3) NOT NULL,
  CONSTRAINT unknown_volumes_pkey PRIMARY KEY (runner_id, id)
);

-- ======== Reservations ========

CREATE TYPE "ReservationStatus" AS ENUM ('scheduled', 'active', 'ended', 'canceled');

CREATE TABLE reservations (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  gpu text NOT NULL, count integer NOT NULL, region text NOT NULL, pool text NOT NULL, duration_days integer NOT NULL,
  status "ReservationStatus" NOT NULL, price_nanos_per_hour bigint NOT NULL, created_at timestamptz(3) NOT NULL,
  starts_at timestamptz(3) NOT NULL, ends_at timestamptz(3) NOT NULL, end_announced_at timestamptz(3),
  canceled_at timestamptz(3), PRIMARY KEY (id));
CREATE INDEX reservations_tenant_id_mode_id_idx ON reservations (tenant_id, mode, id);
CREATE INDEX reservations_pool_status_idx ON reservations (pool, status);
CREATE INDEX reservations_status_starts_at_idx ON reservations (status, starts_at);
CREATE INDEX reservations_status_ends_at_idx ON reservations (status, ends_at);
CREATE TRIGGER reservations_wake_insert AFTER INSERT ON reservations
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('reservations');
CREATE TRIGGER reservations_wake_update AFTER UPDATE OF status, starts_at, ends_at, count ON reservations
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('reservations');

CREATE TABLE reserved_devices (
  pool text NOT NULL, node text NOT NULL, device integer NOT NULL, reservation_id text NOT NULL,
  PRIMARY KEY (pool, node, device));
CREATE INDEX reserved_devices_reservation_id_idx ON reserved_devices (reservation_id);

-- ======== Sandboxes ========

CREATE TABLE sandboxes (
  id text NOT NULL, tenant_id text NOT NULL, command jsonb, keep_alive boolean NOT NULL,
  command_claimed_at timestamptz(3), command_ended_at timestamptz(3), exit_code integer, exit_signal text,
  timed_out boolean, output bytea, ended_at timestamptz(3), PRIMARY KEY (id));
CREATE INDEX sandboxes_open_idx ON sandboxes (id) WHERE (ended_at IS NULL);
CREATE INDEX sandboxes_output_idx ON sandboxes (command_ended_at) WHERE (output IS NOT NULL);
CREATE TRIGGER sandboxes_wake AFTER INSERT ON sandboxes FOR EACH ROW EXECUTE FUNCTION wake_rounds('sandboxes');

-- ======== Workspaces ========

CREATE TYPE "WorkspaceEditor" AS ENUM ('code-server', 'built-in');

CREATE TABLE workspaces (
  id text NOT NULL, tenant_id text NOT NULL, idle_timeout_seconds integer NOT NULL,
  last_used_at timestamptz(3) NOT NULL, editor "WorkspaceEditor", editor_run integer, announced text NOT NULL,
  PRIMARY KEY (id));
CREATE TRIGGER workspaces_wake AFTER UPDATE OF idle_timeout_seconds ON workspaces
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('workspaces');

-- ======== Functions ========

CREATE TYPE invocation_status AS ENUM ('queued', 'running', 'succeeded', 'failed');

CREATE TABLE functions (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  version integer NOT NULL, env jsonb NOT NULL, timeout_ms integer NOT NULL, concurrency_max integer NOT NULL,
  created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, schedule text, next_run_at timestamptz(3),
  retries_max integer NOT NULL DEFAULT 0, runtime text NOT NULL DEFAULT 'javascript', image text, memory_mb integer,
  PRIMARY KEY (id));
CREATE INDEX functions_tenant_id_mode_id_idx ON functions (tenant_id, mode, id);
CREATE UNIQUE INDEX functions_project_id_mode_name_key ON functions (project_id, mode, name);
-- Those with a schedule.
CREATE INDEX functions_next_run_idx ON functions (next_run_at) WHERE (next_run_at IS NOT NULL);
CREATE TRIGGER functions_wake_insert AFTER INSERT ON functions
  FOR EACH ROW WHEN (NEW.next_run_at IS NOT NULL) EXECUTE FUNCTION wake_rounds('functions');
CREATE TRIGGER functions_wake_update AFTER UPDATE OF next_run_at ON functions
  FOR EACH ROW WHEN (NEW.next_run_at < OLD.next_run_at OR (OLD.next_run_at IS NULL AND NEW.next_run_at IS NOT NULL))
  EXECUTE FUNCTION wake_rounds('functions');

CREATE TABLE function_versions (
  function_id text NOT NULL, number integer NOT NULL, code text NOT NULL, entry text NOT NULL,
  created_at timestamptz(3) NOT NULL, PRIMARY KEY (function_id, number));

CREATE TABLE function_invocations (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, function_id text NOT NULL,
  version integer NOT NULL, is_async boolean NOT NULL, status invocation_status NOT NULL, payload text, result text,
  error text, logs text NOT NULL, duration_ms integer, created_at timestamptz(3) NOT NULL, started_at timestamptz(3),
  ended_at timestamptz(3), mode "Mode" NOT NULL, scheduled_at timestamptz(3), attempt integer NOT NULL DEFAULT 0,
  due_at timestamptz(3), runs integer NOT NULL DEFAULT 0, memory_ms bigint NOT NULL DEFAULT 0,
  is_counted boolean NOT NULL DEFAULT false, PRIMARY KEY (id));
CREATE INDEX function_invocations_function_id_id_idx ON function_invocations (function_id, id);
CREATE INDEX function_invocations_created_at_idx ON function_invocations (created_at);
-- Those that wait and those that run, which are few.
CREATE INDEX function_invocations_open_idx ON function_invocations (status, id)
  WHERE (status IN ('queued'::invocation_status, 'running'::invocation_status));
-- A time of a schedule has one invocation.
CREATE UNIQUE INDEX function_invocations_scheduled_idx ON function_invocations (function_id, scheduled_at)
  WHERE (scheduled_at IS NOT NULL);
-- Those that have ended since invocations were counted last.
CREATE INDEX function_invocations_uncounted_idx ON function_invocations (id)
  WHERE ((NOT is_counted) AND (status IN ('succeeded'::invocation_status, 'failed'::invocation_status)));
-- Invocations that wait, by function and by the time at which they may begin, and those that run, by function.
CREATE INDEX function_invocations_queued_idx ON function_invocations (function_id, COALESCE(due_at, created_at), id)
  WHERE (status = 'queued'::invocation_status);
CREATE INDEX function_invocations_due_idx ON function_invocations (COALESCE(due_at, created_at))
  WHERE (status = 'queued'::invocation_status);
CREATE INDEX function_invocations_running_idx ON function_invocations (function_id)
  WHERE (status = 'running'::invocation_status);
CREATE INDEX function_invocations_tenant_id_idx ON function_invocations (tenant_id);
CREATE TRIGGER function_invocations_wake_insert AFTER INSERT ON function_invocations
  FOR EACH ROW WHEN (NEW.status = 'queued') EXECUTE FUNCTION wake_rounds('functions');
-- One that ends leaves its place to the next one of its function, in whichever process.
CREATE TRIGGER function_invocations_wake_update AFTER UPDATE OF status ON function_invocations
  FOR EACH ROW WHEN (NEW.status = 'queued' OR (OLD.status = 'running' AND NEW.status <> 'running')) EXECUTE FUNCTION
  wake_rounds('functions');

CREATE TABLE function_hours (
  function_id text NOT NULL, hour timestamptz(3) NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL,
  mode "Mode" NOT NULL, runs bigint NOT NULL, memory_ms bigint NOT NULL, PRIMARY KEY (function_id, hour));
CREATE INDEX function_hours_hour_idx ON function_hours (hour);

CREATE TABLE function_pods (
  id text NOT NULL, function_id text NOT NULL, version integer NOT NULL, used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (id));
CREATE INDEX function_pods_function_id_version_id_idx ON function_pods (function_id, version, id);

-- ======== Edge functions ========

CREATE TABLE edge_functions (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  slug text NOT NULL, version integer NOT NULL, bindings jsonb NOT NULL, smoke jsonb NOT NULL,
  published_version integer, published_at timestamptz(3), created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL, env jsonb NOT NULL DEFAULT '{}'::jsonb, PRIMARY KEY (id));
CREATE UNIQUE INDEX edge_functions_slug_key ON edge_functions (slug);
CREATE INDEX edge_functions_tenant_id_mode_id_idx ON edge_functions (tenant_id, mode, id);
CREATE UNIQUE INDEX edge_functions_project_id_mode_name_key ON edge_functions (project_id, mode, name);

CREATE TABLE edge_versions (
  edge_id text NOT NULL, number integer NOT NULL, code text NOT NULL, bindings jsonb NOT NULL, smoke jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL, env jsonb NOT NULL DEFAULT '{}'::jsonb, PRIMARY KEY (edge_id, number));

CREATE TABLE edge_log_lines (
  id bigserial, edge_id text NOT NULL, at timestamptz(3) NOT NULL, version integer NOT NULL, request_id text NOT NULL,
  level text NOT NULL, text text NOT NULL, PRIMARY KEY (id));
CREATE INDEX edge_log_lines_edge_id_id_idx ON edge_log_lines (edge_id, id);
CREATE INDEX edge_log_lines_at_idx ON edge_log_lines (at);

CREATE TABLE edge_kv_namespaces (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  entries integer NOT NULL, bytes bigint NOT NULL, created_at timestamptz(3) NOT NULL, PRIMARY KEY (id));
CREATE UNIQUE INDEX edge_kv_namespaces_project_id_mode_name_key ON edge_kv_namespaces (project_id, mode, name);
CREATE INDEX edge_kv_namespaces_tenant_id_idx ON edge_kv_namespaces (tenant_id);

CREATE TABLE edge_kv_entries (
  namespace_id text NOT NULL, key text COLLATE "C" NOT NULL, value bytea NOT NULL, expires_at timestamptz(3),
  PRIMARY KEY (namespace_id, key));
CREATE INDEX edge_kv_entries_expires_at_idx ON edge_kv_entries (expires_at);

CREATE TABLE edge_sql_databases (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, name text NOT NULL,
  sealed_password text NOT NULL, is_ready boolean NOT NULL, unbound_since timestamptz(3),
  created_at timestamptz(3) NOT NULL, PRIMARY KEY (id));
CREATE UNIQUE INDEX edge_sql_databases_project_id_mode_name_key ON edge_sql_databases (project_id, mode, name);
CREATE INDEX edge_sql_databases_tenant_id_idx ON edge_sql_databases (tenant_id);

-- ======== Inference ========

CREATE TABLE inference_endpoints (
  id text NOT NULL, wanted integer NOT NULL, busy_at timestamptz(3) NOT NULL, used_at timestamptz(3),
  requests bigint NOT NULL DEFAULT 0, failures integer NOT NULL DEFAULT 0, retry_at timestamptz(3), PRIMARY KEY (id));

CREATE TABLE inference_replicas (
  pod_id text NOT NULL, endpoint_id text NOT NULL, program text NOT NULL, port integer NOT NULL,
  created_at timestamptz(3) NOT NULL, ready_at timestamptz(3), unready_at timestamptz(3), draining_at timestamptz(3),
  PRIMARY KEY (pod_id));
CREATE INDEX inference_replicas_endpoint_id_idx ON inference_replicas (endpoint_id);
CREATE INDEX inference_replicas_changing_idx ON inference_replicas (endpoint_id)
  WHERE ((unready_at IS NOT NULL) OR (draining_at IS NOT NULL));

CREATE TABLE inference_loads (
  endpoint_id text NOT NULL, process_id text NOT NULL, outstanding jsonb NOT NULL, queued integer NOT NULL,
  seen_at timestamptz(3) NOT NULL, PRIMARY KEY (endpoint_id, process_id));
-- Endpoints with traffic, and replicas that change.
CREATE INDEX inference_loads_seen_at_idx ON inference_loads (seen_at);

-- ======== Clusters ========

CREATE TABLE cluster_nodes (
  rid text NOT NULL, tenant_id text NOT NULL, cluster_id text NOT NULL, model text NOT NULL, region text NOT NULL,
  nodes integer NOT NULL, gpus integer NOT NULL, spot boolean NOT NULL, PRIMARY KEY (rid));
CREATE INDEX cluster_nodes_tenant_id_region_model_idx ON cluster_nodes (tenant_id, region, model);
CREATE INDEX cluster_nodes_cluster_id_idx ON cluster_nodes (cluster_id);

-- ======== Shared volumes ========

CREATE TYPE "SharedVolumeState" AS ENUM ('making', 'made', 'lost', 'deleting');

CREATE TABLE shared_volumes (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, runner_id text NOT NULL,
  capacity_gb integer NOT NULL, made_gb integer, throughput_mbps integer, limited_mbps integer,
  throughput_enforced boolean NOT NULL DEFAULT false, snapshot_id text, subnet_id text,
  state "SharedVolumeState" NOT NULL, failure jsonb, suspended_at timestamptz(3), created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (id));
CREATE INDEX shared_volumes_tenant_id_idx ON shared_volumes (tenant_id);
CREATE INDEX shared_volumes_runner_id_state_idx ON shared_volumes (runner_id, state);
CREATE TRIGGER shared_volumes_wake_insert AFTER INSERT ON shared_volumes
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');
CREATE TRIGGER shared_volumes_wake_update AFTER UPDATE ON shared_volumes
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state OR NEW.capacity_gb IS DISTINCT FROM OLD.capacity_gb OR
  NEW.throughput_mbps IS DISTINCT FROM OLD.throughput_mbps OR NEW.failure IS DISTINCT FROM OLD.failure OR
  NEW.runner_id IS DISTINCT FROM OLD.runner_id) EXECUTE FUNCTION wake_rounds('pods');

CREATE TABLE shared_volume_capacities (
  volume_id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL,
  capacity_gb integer NOT NULL, started_at timestamptz(3) NOT NULL, ended_at timestamptz(3),
  PRIMARY KEY (volume_id, started_at));
CREATE INDEX shared_volume_capacities_tenant_id_mode_ended_at_idx ON shared_volume_capacities (tenant_id, mode, ended_at);

CREATE TABLE volume_snapshots (
  id text NOT NULL, volume_id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL,
  capacity_gb integer NOT NULL, state "CheckpointState" NOT NULL, reason_code text, reason_text text,
  size_bytes bigint, stored_bytes bigint NOT NULL DEFAULT 0, blob text, created_at timestamptz(3) NOT NULL,
  saved_at timestamptz(3), PRIMARY KEY (id));
CREATE INDEX volume_snapshots_volume_id_id_idx ON volume_snapshots (volume_id, id);
CREATE INDEX volume_snapshots_tenant_id_idx ON volume_snapshots (tenant_id);
CREATE INDEX volume_snapshots_state_idx ON volume_snapshots (state);
CREATE TRIGGER volume_snapshots_wake AFTER INSERT ON volume_snapshots
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');

CREATE TABLE disk_uses (
  runner_id text NOT NULL, noun text NOT NULL, id text NOT NULL, tenant_id text NOT NULL, bytes bigint NOT NULL,
  PRIMARY KEY (runner_id, noun, id));
CREATE INDEX disk_uses_tenant_id_noun_idx ON disk_uses (tenant_id, noun);

-- ======== Networks ========

CREATE TABLE private_networks (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, cidr text NOT NULL,
  subnets jsonb NOT NULL, runner_id text NOT NULL, closed boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL, PRIMARY KEY (id));
CREATE INDEX private_networks_runner_id_idx ON private_networks (runner_id);
CREATE INDEX private_networks_tenant_id_mode_idx ON private_networks (tenant_id, mode);

CREATE TABLE network_gateways (
  id text NOT NULL, tenant_id text NOT NULL, network_id text NOT NULL, egress boolean NOT NULL, PRIMARY KEY (id));
CREATE INDEX network_gateways_network_id_idx ON network_gateways (network_id);
CREATE TRIGGER network_gateways_wake AFTER INSERT OR UPDATE OR DELETE ON network_gateways
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('pods');

CREATE TABLE public_ports (
  resource_id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL,
  port integer NOT NULL, target text, target_port integer, price_nanos_per_hour bigint NOT NULL, address text,
  failure text, started_at timestamptz(3) NOT NULL, ended_at timestamptz(3), PRIMARY KEY (resource_id, started_at));
CREATE INDEX public_ports_tenant_id_mode_started_at_idx ON public_ports (tenant_id, mode, started_at);
-- A port leads to one pod.
CREATE UNIQUE INDEX public_ports_port_key ON public_ports (port) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX public_ports_resource_key ON public_ports (resource_id) WHERE (ended_at IS NULL);
-- Ports that lead somewhere, those that are to be closed, and those of a tenant.
CREATE INDEX public_ports_led_idx ON public_ports (port) WHERE ((ended_at IS NULL) AND (target IS NOT NULL));
CREATE INDEX public_ports_address_idx ON public_ports (resource_id) WHERE (address IS NOT NULL);
CREATE INDEX public_ports_open_idx ON public_ports (tenant_id) WHERE (ended_at IS NULL);
CREATE TRIGGER public_ports_wake_insert AFTER INSERT ON public_ports
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('public-ports');
-- Not for what the process that listens records.
CREATE TRIGGER public_ports_wake_update AFTER UPDATE OF port, target, target_port, ended_at ON public_ports
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('public-ports');

-- ======== Shield ========

CREATE TYPE "ShieldScanStatus" AS ENUM ('queued', 'running', 'completed', 'failed', 'canceled');

CREATE TABLE shield_scans (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, bucket_id text NOT NULL,
  bucket_name text NOT NULL, prefix text NOT NULL,
  status "ShieldScanStatus" NOT NULL DEFAULT 'queued'::"ShieldScanStatus", failure text,
  "position" text NOT NULL DEFAULT '', objects_total bigint, bytes_total bigint, objects bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0, batch_bytes bigint NOT NULL DEFAULT 0, unchanged bigint NOT NULL DEFAULT 0,
  "binary" bigint NOT NULL DEFAULT 0, partly bigint NOT NULL DEFAULT 0, unreadable bigint NOT NULL DEFAULT 0,
  findings jsonb NOT NULL DEFAULT '{}'::jsonb, new_findings integer NOT NULL DEFAULT 0,
  resolved integer NOT NULL DEFAULT 0, omitted bigint NOT NULL DEFAULT 0, attempts integer NOT NULL DEFAULT 0,
  claim text, claimed_until timestamptz(3), turn_at timestamptz(3), created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3), finished_at timestamptz(3), PRIMARY KEY (id));
CREATE INDEX shield_scans_tenant_id_mode_id_idx ON shield_scans (tenant_id, mode, id);
CREATE INDEX shield_scans_finished_at_idx ON shield_scans (finished_at);
-- A bucket has one scan at a time. Idle workers look here for work.
CREATE UNIQUE INDEX shield_scans_open_idx ON shield_scans (bucket_id) WHERE (finished_at IS NULL);
CREATE TRIGGER shield_scans_wake_insert AFTER INSERT ON shield_scans
  FOR EACH ROW EXECUTE FUNCTION wake_rounds('scans');
CREATE TRIGGER shield_scans_wake_update AFTER UPDATE OF claimed_until ON shield_scans
  FOR EACH ROW WHEN (NEW.finished_at IS NULL AND (NEW.claimed_until IS NULL OR NEW.claimed_until < OLD.claimed_until))
  EXECUTE FUNCTION wake_rounds('scans');

CREATE TABLE shield_findings (
  id text NOT NULL, tenant_id text NOT NULL, project_id text NOT NULL, mode "Mode" NOT NULL, bucket_id text NOT NULL,
  bucket_name text NOT NULL, key text NOT NULL, rule text NOT NULL, value_hash text NOT NULL, category text NOT NULL,
  severity text NOT NULL, confidence text NOT NULL, evidence text NOT NULL, "offset" bigint, encoding text NOT NULL,
  occurrences integer NOT NULL, matches integer NOT NULL, first_seen_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL, resolved_at timestamptz(3), last_scan_id text NOT NULL, PRIMARY KEY (id));
CREATE INDEX shield_findings_tenant_id_mode_id_idx ON shield_findings (tenant_id, mode, id);
CREATE INDEX shield_findings_bucket_id_last_scan_id_idx ON shield_findings (bucket_id, last_scan_id);
CREATE INDEX shield_findings_resolved_at_idx ON shield_findings (resolved_at);
CREATE UNIQUE INDEX shield_findings_bucket_id_key_rule_value_hash_key ON shield_findings (bucket_id, key, rule, value_hash);

CREATE TABLE shield_objects (
  bucket_id text NOT NULL, key text NOT NULL, etag text NOT NULL, modified_at timestamptz(3) NOT NULL,
  rules_version text NOT NULL, coverage text NOT NULL, omitted integer NOT NULL, last_scan_id text NOT NULL,
  PRIMARY KEY (bucket_id, key));

-- ======== References between tables ========

ALTER TABLE projects ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE memberships ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE memberships ADD FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE invitations ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE quotas ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE stored_bytes ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sessions ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sessions ADD FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE auth_tokens ADD FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE api_keys ADD FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE api_keys ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE refresh_families ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE refresh_families ADD FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE refresh_tokens ADD FOREIGN KEY (family_id) REFERENCES refresh_families(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE log_in_codes ADD FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook_deliveries ADD FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook_attempts ADD FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE simulated_traffic ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE;
ALTER TABLE channels ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE channel_keys ADD FOREIGN KEY (channel_id) REFERENCES channels(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE advertisers ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE campaigns ADD FOREIGN KEY (advertiser_id) REFERENCES advertisers(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE campaigns ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE creatives ADD FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE products ADD FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE campaign_items ADD FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;
ALTER TABLE item_vectors ADD FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;
ALTER TABLE budget_crossings ADD FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE feed_schedules ADD FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE conversions ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE;
ALTER TABLE waiting_pixels ADD FOREIGN KEY (advertiser_id) REFERENCES advertisers(id) ON DELETE CASCADE;
ALTER TABLE clawback_sums ADD FOREIGN KEY (clawback_id) REFERENCES clawbacks(id);
ALTER TABLE tenant_balances ADD FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE invoice_lines ADD FOREIGN KEY (invoice_id) REFERENCES invoices(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE object_parts ADD FOREIGN KEY (upload_id) REFERENCES object_uploads(id) ON DELETE CASCADE;
ALTER TABLE bucket_hours ADD FOREIGN KEY (bucket_id) REFERENCES buckets(id) ON DELETE CASCADE;
ALTER TABLE secret_versions ADD FOREIGN KEY (secret_id) REFERENCES secrets(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE pod_runs ADD FOREIGN KEY (pod_id) REFERENCES pods(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE pod_checkpoints ADD FOREIGN KEY (pod_id) REFERENCES pods(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE reserved_devices ADD FOREIGN KEY (reservation_id) REFERENCES reservations(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE function_versions ADD FOREIGN KEY (function_id) REFERENCES functions(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE edge_versions ADD FOREIGN KEY (edge_id) REFERENCES edge_functions(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE edge_log_lines ADD FOREIGN KEY (edge_id) REFERENCES edge_functions(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE edge_kv_entries ADD FOREIGN KEY (namespace_id) REFERENCES edge_kv_namespaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
