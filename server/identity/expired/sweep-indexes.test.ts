import { afterAll, expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { rowsRead } from "../../../test/factories/rows-read";
import { connectPostgres } from "../../engines/postgres/connect-postgres";
import { ManualClock } from "../../kernel/clock";
import { sweepExpired } from "./sweep-expired";

const LIVING = 5000;
const EXPIRED = 5;
const clock = new ManualClock(new Date("2026-11-20T12:00:00Z"));

afterAll(() => alone.close());

/** In every table the first rows expired long ago, and the others are current. */
const FILL = `
  WITH n AS MATERIALIZED (
    SELECT n, CASE WHEN n <= $2::int THEN '2026-01-01' ELSE '2027-01-01' END::timestamptz AS at
    FROM generate_series(1, $1::int + $2::int) n
  ), tenant AS (INSERT INTO tenants (id, name, created_at) VALUES ('ten', 't', '2026-01-01')
  ), users AS (INSERT INTO users (id, email, password_hash, created_at) SELECT 'usr_' || n, 'a@example.com', '', at FROM n
  ), sessions AS (INSERT INTO sessions (id, user_id, tenant_id, expires_at, created_at) SELECT 'ses_' || n, 'usr_' || n, 'ten', at, at FROM n
  ), families AS (INSERT INTO refresh_families (id, user_id, tenant_id, expires_at, created_at) SELECT 'fam_' || n, 'usr_' || n, 'ten', at, at FROM n
  ), tokens AS (INSERT INTO refresh_tokens (hash, family_id, created_at) SELECT 'h_' || n || '_' || i, 'fam_' || n, at FROM n, generate_series(1, 3) i
  ), answers AS (INSERT INTO idempotent_answers (tenant_id, hash, fingerprint, status, sealed_body, created_at) SELECT 'ten', n, '', 200, '', at FROM n
  ), tasks AS (INSERT INTO agent_tasks (id, tenant_id, holder, tool, status, created_at, updated_at, expires_at, lease_until) SELECT 'task_' || n, 'ten', '', '', 'completed', at, at, at, at FROM n
  ), auth AS (INSERT INTO auth_tokens (hash, user_id, kind, expires_at, created_at) SELECT n, 'usr_' || n, 'verify_email', at, at FROM n
  ), codes AS (INSERT INTO log_in_codes (user_id, hash, tries_left, expires_at, created_at) SELECT 'usr_' || n, '', 1, at, at FROM n
  ), events AS (INSERT INTO events (id, tenant_id, mode, type, data, created_at) SELECT n, 'ten', 'live', 'a.b', '{}', at FROM n
  ), emails AS (INSERT INTO emails (id, "to", subject, text, created_at) SELECT n, 'a', 's', 't', at FROM n)
  INSERT INTO invitations (id, email, role, token_hash, created_at, expires_at) SELECT n, 'a', 'member', n, at, at FROM n`;

const database = await openForFile(testDatabase());
/** One connection for everything that reads much: another one would report its statistics later, in the middle of a count. */
const alone = connectPostgres(database.url, { poolMax: 1 });
await alone.sql.query(FILL, [LIVING, EXPIRED]);

it("a sweep among thousands of current rows reads only the expired ones", async () => {
  await alone.sql.query("ANALYZE");
  const { scanned, indexes, rows } = await rowsRead(alone.sql, () => sweepExpired({ db: alone.db, clock }));
  // There are only a few signing keys.
  expect(scanned).toEqual(["signing_keys"]);
  expect(indexes).toEqual(
    expect.arrayContaining([
      "sessions_expires_at_idx",
      "refresh_families_expires_at_idx",
      "refresh_tokens_family_id_idx",
      "idempotent_answers_created_at_idx",
      "auth_tokens_expires_at_idx",
      "log_in_codes_expires_at_idx",
      "emails_created_at_idx",
      "events_created_at_idx",
      "invitations_expires_at_idx",
    ]),
  );
  expect(rows).toBeLessThan(40 * EXPIRED);
  const { rows: left } = await database.sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM sessions UNION ALL SELECT count(*)::int FROM refresh_families
     UNION ALL SELECT count(*)::int FROM refresh_tokens UNION ALL SELECT count(*)::int FROM auth_tokens
     UNION ALL SELECT count(*)::int FROM invitations`,
  );
  expect(left.map(({ count }) => count)).toEqual([LIVING, LIVING, 3 * LIVING, LIVING, LIVING]);
});

it("the tokens of a session that was refreshed for years are deleted in batches, before the session", async () => {
  await database.sql.query(
    `WITH family AS (
       INSERT INTO refresh_families (id, user_id, tenant_id, expires_at, created_at)
       VALUES ('fam_long', 'usr_9', 'ten', '2026-11-01', '2020-01-01')
     ) INSERT INTO refresh_tokens (hash, family_id, created_at) SELECT 'long_' || n, 'fam_long', '2026-01-01' FROM generate_series(1, 2500) n`,
  );
  await database.sql.query(`
    CREATE TABLE deleted (count int);
    CREATE FUNCTION note_deleted() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO deleted SELECT count(*) FROM gone; RETURN NULL; END $$;
    CREATE TRIGGER note_deleted AFTER DELETE ON refresh_tokens
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_deleted()`);
  await sweepExpired({ db: database.db, clock });
  const { rows } = await database.sql.query<{ count: number }>("SELECT count FROM deleted WHERE count > 0");
  expect(rows.map(({ count }) => count)).toEqual([1000, 1000, 500]);
});
