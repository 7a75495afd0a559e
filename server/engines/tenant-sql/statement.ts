import { ServiceError } from "../../kernel/errors";

/** One SQL statement; a parameter is text, which PostgreSQL reads as the type that it needs. */
export interface Statement {
  sql: string;
  params: readonly (string | null)[];
}

/** `read` changes nothing, `shrink` can only make a database smaller. */
export type StatementKind = "read" | "grow" | "shrink";

const KINDS: readonly (readonly [StatementKind, RegExp])[] = [
  ["read", /^(select|values|table)\b/i],
  ["shrink", /^(delete|truncate|drop\s+(table|index|view))\b/i],
  ["grow", /^(with|insert|update|merge|create\s+table|create\s+(unique\s+)?index)\b/i],
  ["grow", /^(create\s+(or\s+replace\s+)?view|alter\s+(table|index|view))\b/i],
];

/** In one call: each locks its tables and indexes until the end, in a lock table that the whole server shares. */
const DEFINITIONS_MAX = 20;

/** Throws `unprocessable` for a call that would define too much in one transaction. */
export function checkDefinitions(statements: readonly Statement[]): void {
  const definitions = statements.filter(({ sql }) => /^\s*(create|alter|drop|truncate)\b/i.test(sql));
  if (definitions.length <= DEFINITIONS_MAX) return;
  throw new ServiceError(
    "unprocessable",
    `One call has at most ${DEFINITIONS_MAX} statements that create, alter, drop or truncate something: use several calls.`,
    { details: { reason: "too_many_definitions" } },
  );
}

/**
 * What a statement does, by its first words. PostgreSQL receives it as one statement of the extended protocol, so that no
 * second one can follow. Throws `unprocessable` for the others: those that change the session or the role, run programs,
 * or define functions.
 */
export function kindOf(sql: string): StatementKind {
  const text = sql.trimStart();
  const kind = KINDS.find(([, pattern]) => pattern.test(text))?.[0];
  if (kind) return kind;
  throw new ServiceError(
    "unprocessable",
    "A statement must begin with SELECT, VALUES, WITH, INSERT, UPDATE, DELETE, MERGE or TRUNCATE, or with CREATE, ALTER or DROP of a TABLE, INDEX or VIEW.",
    { details: { reason: "statement_not_allowed" } },
  );
}
