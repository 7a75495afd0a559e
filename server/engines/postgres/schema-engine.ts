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

export interface SchemaEngineSource {
  /** The folder that holds package.json. */
  rootDir: string;
  /** The text of schema.prisma. */
  schema: string;
}

/** Prisma's schema engine on a database; the native one would have to be downloaded. Call `free()` when done. */
export const openSchemaEngine = (source: SchemaEngineSource, sql: Pool): Promise<glue.SchemaEngine> =>
  open(source, new WholeScriptPg(sql));

/** The same engine with no database behind it: enough to compare two schema texts. */
export const openOfflineSchemaEngine = (source: SchemaEngineSource): Promise<glue.SchemaEngine> =>
  open(source, offline());

async function open(
  { rootDir, schema }: SchemaEngineSource,
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<glue.SchemaEngine> {
  loaded ??= loadWasm(rootDir);
  await loaded;
  return glue.SchemaEngine.new(
    { datamodels: [["schema.prisma", schema]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
}

/** The glue keeps one instance in a variable of its own: a second one under a running engine would mix their memory. */
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

/**
 * The adapter's own executeScript splits on every `;`: that breaks function bodies and string literals, and a failed
 * script leaves its first half behind. Sent as one simple query, the script is one implicit transaction.
 */
class WholeScriptPg extends PrismaPg {
  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
    };
    return adapter;
  }
}

/** The engine insists on a connection when it is made, and asks for the version only. */
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
