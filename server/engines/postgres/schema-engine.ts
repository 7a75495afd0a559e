import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import * as glue from "@prisma/schema-engine-wasm/schema_engine_bg";
import type { Pool } from "pg";
import type { SchemaFile } from "./migration-files";

export interface SchemaEngineSource {
  /** The folder that contains package.json. */
  rootDir: string;
  schema: readonly SchemaFile[];
}

/**
 * Prisma's schema engine for a database, as WebAssembly, because the native one would have to be downloaded. Call
 * `free()` when done.
 */
export const openSchemaEngine = (source: SchemaEngineSource, sql: Pool): Promise<glue.SchemaEngine> =>
  open(source, new PrismaPg(sql));

/** The same engine without a database: sufficient to compare two schemas. */
export const openOfflineSchemaEngine = (source: SchemaEngineSource): Promise<glue.SchemaEngine> =>
  open(source, offline());

async function open(
  { rootDir, schema }: SchemaEngineSource,
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<glue.SchemaEngine> {
  loaded ??= loadWasm(rootDir);
  await loaded;
  return glue.SchemaEngine.new(
    { datamodels: schema.map(({ path: file, content }) => [file, content]) },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
}

/**
 * Prisma's wrapper keeps one instance in a module variable: a second instance next to a running one would corrupt its
 * memory.
 */
let loaded: Promise<void> | undefined;

async function loadWasm(rootDir: string): Promise<void> {
  const require = createRequire(path.join(rootDir, "package.json"));
  const file = require.resolve("@prisma/schema-engine-wasm/schema_engine_bg").replace(/\.js$/, ".wasm");
  const module = await WebAssembly.compile(await readFile(file));
  const { exports } = await WebAssembly.instantiate(module, { "./schema_engine_bg.js": { ...glue } });
  glue.__wbg_set_wasm(exports);
  const start = exports.__wbindgen_start;
  if (typeof start === "function") start();
}

/** The engine requires a connection when it is created, but only reads the version. */
function offline(): SqlMigrationAwareDriverAdapterFactory {
  const refuse = (): never => {
    throw new Error("This schema engine was opened without a database.");
  };
  const adapter: SqlDriverAdapter = {
    provider: "postgres",
    adapterName: "offline",
    queryRaw: async () => ({ columnNames: [], columnTypes: [], rows: [] }),
    executeRaw: async () => 0,
    executeScript: refuse,
    startTransaction: refuse,
    getConnectionInfo: () => ({ supportsRelationJoins: true }),
    dispose: async () => undefined,
  };
  const connect = async () => adapter;
  return { provider: "postgres", adapterName: "offline", connect, connectToShadowDb: connect };
}
