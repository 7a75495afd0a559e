import { createHash } from "node:crypto";
import { escapeIdentifier, escapeLiteral } from "pg";

/**
 * Settings of every session of a role. A tenant cannot change them: no statement does that is allowed, and no function
 * that the role may call.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  search_path: "public",
  statement_timeout: "5s",
  lock_timeout: "3s",
  idle_in_transaction_session_timeout: "10s",
  client_connection_check_interval: "1s",
  work_mem: "4MB",
  maintenance_work_mem: "16MB",
  hash_mem_multiplier: "1",
  temp_file_limit: "64MB",
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  jit: "off",
  timezone: "UTC",
  // What is wrong with a statement is for the tenant to know, not for the server's log.
  log_min_error_statement: "panic",
  log_min_messages: "fatal",
};

/** Of all processes of svc. */
const CONNECTIONS_MAX = 12;

/** Functions that change something, and that code needs. */
const VOLATILE_ALLOWED = [
  "nextval",
  "currval",
  "lastval",
  "setval",
  "random",
  "random_normal",
  "gen_random_uuid",
  "uuidv4",
  "uuidv7",
  "clock_timestamp",
  "timeofday",
];

/** Stable functions that read the server, other sessions or the catalogs, or run SQL that is in a text. */
const STABLE_REFUSED =
  "^(pg_|fmgr_|has_|txid_|current_|inet_|to_reg|reg|lo_|row_security|get|mxid_|acl)|_to_xml|xmlschema|description$|^format_type$|^currtid";

/** Functions that only compute, from the id of a role to what contains its name. */
const IMMUTABLE_REFUSED = ["makeaclitem", "acldefault"];

/**
 * A value that is shown as its id, because no right is asked for a conversion to text: others would read the names of all
 * roles of the server, which are those of other tenants' databases.
 */
const NAMELESS_ROLES =
  "UPDATE pg_catalog.pg_type SET typoutput = 'pg_catalog.oidout'::regproc WHERE oid = 'pg_catalog.regrole'::regtype AND typoutput <> 'pg_catalog.oidout'::regproc";

/** Statements for the server; `verifier` takes the place of the password. */
export function roleStatements({ name, verifier, exists }: { name: string; verifier: string; exists: boolean }) {
  const role = escapeIdentifier(name);
  const rights = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT";
  return [
    `${exists ? "ALTER" : "CREATE"} ROLE ${role} ${rights} CONNECTION LIMIT ${CONNECTIONS_MAX} PASSWORD '${verifier}'`,
    ...Object.entries(SETTINGS).map(([setting, value]) => `ALTER ROLE ${role} SET ${setting} = '${value}'`),
  ];
}

/**
 * Statements for a superuser in the new database, which leave the role with its own schema `public` and the functions
 * that compute. Catalogs and functions have their rights in each database, so that those of others stay as they are.
 */
export function databaseStatements(name: string): string[] {
  const role = escapeIdentifier(name);
  const statements = rightsOf(role);
  const mark = escapeLiteral(rightsMark(name));
  return ["BEGIN", ...statements, `COMMENT ON ROLE ${role} IS ${mark}`, "COMMIT"];
}

/** What the comment of a role says that has the rights of this version. */
export const rightsMark = (name: string): string =>
  `svc rights ${createHash("sha256")
    .update(rightsOf(escapeIdentifier(name)).join())
    .digest("hex")
    .slice(0, 16)}`;

function rightsOf(role: string): string[] {
  return [
    `REVOKE ALL ON DATABASE ${role} FROM PUBLIC`,
    `GRANT CONNECT ON DATABASE ${role} TO ${role}`,
    "REVOKE ALL ON LANGUAGE sql, plpgsql FROM PUBLIC",
    "REVOKE ALL ON SCHEMA information_schema, public FROM PUBLIC",
    `GRANT USAGE, CREATE ON SCHEMA public TO ${role}`,
    "REVOKE ALL ON ALL TABLES IN SCHEMA pg_catalog, information_schema FROM PUBLIC",
    `GRANT SELECT ON pg_catalog.pg_class, pg_catalog.pg_attribute, pg_catalog.pg_type, pg_catalog.pg_index TO ${role}`,
    revokeFunctions(role),
    NAMELESS_ROLES,
    `GRANT EXECUTE ON FUNCTION pg_catalog.pg_total_relation_size(regclass) TO ${role}`,
  ];
}

const revokeFunctions = (role: string): string => `DO $svc$
  DECLARE f regprocedure;
  BEGIN
    FOR f IN SELECT p.oid::regprocedure FROM pg_catalog.pg_proc p
      WHERE p.pronamespace = 'pg_catalog'::regnamespace
        AND (p.provolatile = 'v' AND p.proname <> ALL ('{${VOLATILE_ALLOWED.join(",")}}')
          OR p.proname = ANY ('{${IMMUTABLE_REFUSED.join(",")}}')
          OR p.provolatile = 's' AND p.proname ~ '${STABLE_REFUSED}')
        AND has_function_privilege('${role.replaceAll('"', "")}', p.oid, 'EXECUTE')
    LOOP
      EXECUTE format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', f);
    END LOOP;
  END $svc$`;
