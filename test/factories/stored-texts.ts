import type { Pool } from "pg";
import type { CopiesOf } from "../../server/cloud/core/served-copies/copies";
import type { Prisma } from "../../server/engines/postgres/generated/client";

export const TEXTS = "stored_texts";

/** What processes of tests serve: texts by key, in a table of their own. */
export const createStoredTexts = (sql: Pool) =>
  sql.query("CREATE TABLE stored_texts (key text PRIMARY KEY, text text NOT NULL)");

/** A change of a text; null deletes it. */
export const writeText = (key: string, text: string | null) => async (tx: Prisma.TransactionClient) =>
  text === null
    ? (await tx.$executeRaw`DELETE FROM stored_texts WHERE key = ${key}`) > 0
    : (await tx.$executeRaw`INSERT INTO stored_texts VALUES (${key}, ${text})
        ON CONFLICT (key) DO UPDATE SET text = EXCLUDED.text`) > 0;

export const storedCopies = (sql: Pool, bytesMax = 1_000_000): CopiesOf<{ text: string }> => ({
  topic: TEXTS,
  load: async (key) => {
    const { rows } = await sql.query<{ text: string }>("SELECT text FROM stored_texts WHERE key = $1", [key]);
    return rows[0];
  },
  bytesMax,
});
