import { Pool } from "pg";
import { deployMigrations } from "../../../server/engines/postgres/deploy-migrations";
import { ensurePartitions } from "../../../server/engines/postgres/partitions";

/** What a start does to the schema of Postgres, in a process of its own. Arguments: URL, root folder, time. */
const [url = "", rootDir = "", now = ""] = process.argv.slice(2);
await deployMigrations(url, rootDir);
const { migrateJobs } = await import("../../../server/engines/jobs/migrate-jobs");
const sql = new Pool({ connectionString: url, max: 2 });
await migrateJobs(sql);
await ensurePartitions(sql, new Date(now));
await sql.end();
