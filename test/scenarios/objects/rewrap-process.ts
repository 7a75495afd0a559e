import { rootKeysOf } from "../../../server/cloud/data/objects/encryption";
import { rewrapObjectKeys } from "../../../server/cloud/data/objects/rewrap-object-keys";
import { connectPostgres } from "../../../server/engines/postgres/connect-postgres";
import { dyingAt } from "./dying-steps";

/**
 * Wraps data keys again, ten at a time, and kills itself when it comes by the update of a batch for the n-th time.
 * Arguments: the database, the secret, the one before it, the pass, and the moment.
 */
const [url = "", secret = "", previous = "", pass = "", moment = ""] = process.argv.slice(2);
const { sql } = connectPostgres(url, { poolMax: 2 });
const atStep = dyingAt({ step: "UPDATE object_versions", pass: Number(pass), moment });
const query = sql.query.bind(sql) as (text: string, values?: unknown[]) => Promise<unknown>;
Object.assign(sql, { query: (text: string, values?: unknown[]) => atStep(text, () => query(text, values)) });
await rewrapObjectKeys({ sql, objectKeys: rootKeysOf(secret, previous), batch: 10 }, () => undefined);
