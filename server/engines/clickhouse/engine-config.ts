import path from "node:path";
import { sha256 } from "../../kernel/secrets";
import { READY_FREE_BYTES_MIN } from "../data-dir";
import { basicAuthorization, CHALLENGE_HEADER, type EngineAccess, TOKEN_HEADER, USER } from "./engine-access";

export interface EngineConfig {
  dir: string;
  access: EngineAccess;
  memoryMaxBytes: number;
  /** Additional privileges of `svc` outside its own database, as GRANT statements without the user; for tests. */
  grants: readonly string[];
}

/** The database of the embedded engine. */
const DATABASE = "default";

/** The table engines that clickhouse/*.sql uses. A grant on all engines would include File, URL and similar ones. */
const TABLE_ENGINES = ["MergeTree", "AggregatingMergeTree", "ReplacingMergeTree"];

/** Between two corrections of the engine's own count of its memory, which is exact for its own allocations. */
const MEMORY_PERIOD_MS = 1000;
/** svc reads none of these metrics. */
const METRICS_PERIOD_S = 60;

/** System tables that migrations, retention and backups read. */
const SYSTEM_TABLES = ["tables", "columns", "parts"];

/** Privileges that svc's statements need on its database: inserts, reports, migrations, retention, backups. */
export const grantsOn = (database: string): string[] => [
  `GRANT SELECT, INSERT, TRUNCATE ON ${database}.*`,
  `GRANT CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW ON ${database}.*`,
  `GRANT ALTER COLUMN, ALTER INDEX, ALTER PROJECTION, ALTER TTL, ALTER SETTINGS ON ${database}.*`,
  // Backups run ATTACH PARTITION … FROM, which requires ALTER DELETE.
  `GRANT ALTER VIEW, ALTER DELETE ON ${database}.*`,
];

/**
 * The engine's configuration. Requests without the token and the password match no handler, whatever their path: there
 * is no /ping, no /play and no CORS preflight. Only HTTP listens. The file with `usersText` is passed as descriptor 4.
 * With less free space than READY_FREE_BYTES_MIN no insert and no merge starts; see watch-free-space.ts.
 * The level of ThreadStatus is raised because each thread would log that it cannot read its kernel statistics.
 * Measurements of memory and other metrics are taken less often than by default, because each one wakes an idle engine:
 * by default memory is measured 20 times a second.
 */
export const configText = ({ dir, access, memoryMaxBytes }: EngineConfig): string => `<clickhouse>
  <logger>
    <log>${escapeXml(path.join(dir, "engine.log"))}</log><size>10M</size><count>2</count>
    <async>false</async>
    <levels><logger><name>ThreadStatus</name><level>error</level></logger></levels>
  </logger>
  <memory_worker_period_ms>${MEMORY_PERIOD_MS}</memory_worker_period_ms>
  <asynchronous_metrics_update_period_s>${METRICS_PERIOD_S}</asynchronous_metrics_update_period_s>
  <max_server_memory_usage>${memoryMaxBytes}</max_server_memory_usage>
  <user_files_path>${escapeXml(userFilesOf(dir))}/</user_files_path>
  <storage_configuration><disks><default>
    <keep_free_space_bytes>${READY_FREE_BYTES_MIN}</keep_free_space_bytes>
  </default></disks></storage_configuration>
  <users_config>/dev/fd/4</users_config>
  <access_control_improvements>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
    <table_engines_require_grant>true</table_engines_require_grant>
  </access_control_improvements>
  <http_handlers>
    <rule>
      <headers>
        <${TOKEN_HEADER}>${access.token}</${TOKEN_HEADER}>
        <authorization>${basicAuthorization(access)}</authorization>
      </headers>
      <handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>
    </rule>
    <rule>
      <methods>GET</methods>
      <headers><${CHALLENGE_HEADER}>${access.challenge}</${CHALLENGE_HEADER}></headers>
      <handler>
        <type>static</type><status>200</status><content_type>text/plain</content_type>
        <response_content>${access.response}</response_content>
      </handler>
    </rule>
  </http_handlers>
</clickhouse>
`;

/**
 * The engine's users. Its own connection uses `default`, which has no password; no HTTP handler accepts requests of
 * that user.
 */
export const usersText = ({ access, grants }: EngineConfig): string => `<clickhouse>
  <users>
    <default>
      <password></password>
      <networks><ip>::1</ip></networks>
      <profile>default</profile><quota>default</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>
    </default>
    <${USER}>
      <password_sha256_hex>${sha256(access.password)}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile><quota>default</quota>
      <grants>${[...ownGrants(), ...grants].map((grant) => `<query>${escapeXml(grant)}</query>`).join("")}</grants>
    </${USER}>
  </users>
  <profiles><default></default></profiles>
  <quotas><default></default></quotas>
</clickhouse>
`;

const ownGrants = (): string[] => [
  ...grantsOn(DATABASE),
  ...SYSTEM_TABLES.map((table) => `GRANT SELECT ON system.${table}`),
  ...TABLE_ENGINES.map((engine) => `GRANT TABLE ENGINE ON ${engine}`),
];

/** An empty folder: the engine's file functions resolve relative paths against it. */
export const userFilesOf = (dir: string): string => path.join(dir, "user_files");

const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
