import { expect, it } from "vitest";
import { identityTest } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { rowsRead } from "../../../test/factories/rows-read";
import { connectPostgres } from "../../engines/postgres/connect-postgres";
import { listAudit } from "./list-audit";

const ENTRIES = 20_000;
const PAGE = 20;

const t = await openForFile(identityTest());
const owner = await t.person("owner@example.com");
/** One connection for everything that reads much: another one would report its statistics later, in the middle of a count. */
const alone = await openForFile(connectPostgres(t.url, { poolMax: 1 }));
// The oldest entries are searched for: a scan from the newest one would reach them last.
await alone.sql.query(
  `INSERT INTO audit_entries (tenant_id, sequence, id, at, action, actor, targets, context, details, previous_hash, hash)
     SELECT $1, 1000 + n, 'aud_many_' || n, '2026-01-01'::timestamptz + n * interval '1 second',
       CASE WHEN n <= 5 THEN 'api_key.revoked' ELSE 'campaign.updated' END,
       jsonb_build_object('type', 'user', 'id', CASE WHEN n <= 5 THEN 'usr_rare' ELSE 'usr_' || n % 10 END),
       jsonb_build_array(jsonb_build_object('type', 'campaign', 'id', CASE WHEN n <= 5 THEN 'cmp_rare' ELSE 'cmp_' || n % 10 END)),
       '{}', '{}', '', '' FROM generate_series(1, $2::int) n`,
  [owner.actor.tenantId, ENTRIES],
);
await alone.sql.query("ANALYZE audit_entries");

it.each([
  ["action", { action: "api_key.revoked" }, "audit_entries_tenant_id_action_sequence_idx"],
  ["kind of action", { action: "api_key.*" }, "audit_entries_tenant_id_action_sequence_idx"],
  ["actor", { actor_id: "usr_rare" }, "audit_entries_actor_id_idx"],
  ["target", { target_id: "cmp_rare" }, "audit_entries_targets_idx"],
  ["time", { to: "2026-01-01T00:00:06Z" }, "audit_entries_tenant_id_at_idx"],
])("the oldest entries of a long log are found by their %s without reading the others", async (_, filter, index) => {
  const ctx = { ...owner, db: alone.db };
  let found = 0;
  const read = await rowsRead(alone.sql, async () => {
    found = (await listAudit.run(ctx, listAudit.input.parse({ ...filter, limit: PAGE }))).data.length;
  });
  expect(found).toBe(5);
  expect(read.indexes).toContain(index);
  expect(read.scanned).not.toContain("audit_entries");
  expect(read.rows).toBeLessThan(100);
});
