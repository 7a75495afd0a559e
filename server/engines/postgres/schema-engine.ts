import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
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
export async function openSchemaEngine({ rootDir, schema }: SchemaEngineSource, sql: Pool): Promise<glue.SchemaEngine> {
  loaded ??= loadWasm(rootDir);
  await loaded;
  const factory = readsCatalogs(sql);
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

/** The type "char" of one byte, and arrays of it: https://www.postgresql.org/docs/current/datatype-character.html. */
const CHAR = 18;
const CHAR_ARRAY = 1002;

/**
 * Prisma's adapter lacks the type "char", which the engine reads from PostgreSQL's catalogs: its columns are passed
 * through the adapter as arrays of "char", which catalogs do not contain, and are then characters again.
 */
function readsCatalogs(sql: Pool): SqlMigrationAwareDriverAdapterFactory {
  sql.on("connect", ({ connection }) => {
    connection.on("rowDescription", ({ fields }: { fields: { dataTypeID: number }[] }) => {
      for (const field of fields) if (field.dataTypeID === CHAR) field.dataTypeID = CHAR_ARRAY;
    });
  });
  const factory = new PrismaPg(sql);
  const connect = async () => withCharacters(await factory.connect());
  return { provider: "postgres", adapterName: factory.adapterName, connect, connectToShadowDb: connect };
}

function withCharacters(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const { columnNames, columnTypes, rows } = await queryRaw(query);
    const isCharacter = columnTypes.map((type) => type === ColumnTypeEnum.CharacterArray);
    return {
      columnNames,
      columnTypes: columnTypes.map((type, i) => (isCharacter[i] ? ColumnTypeEnum.Character : type)),
      // The engine reads a character as one; PostgreSQL writes a zero byte as an empty text.
      rows: rows.map((row) => row.map((value, i) => (isCharacter[i] && value === "" ? "\0" : value))),
    };
  };
  return adapter;
}
