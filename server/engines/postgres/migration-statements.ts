/** Constructs in which a semicolon does not end a statement: function bodies, strings, names, comments. */
const QUOTED = /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g;
const COMMENT = /^(--|\/\*)/;

/** The first line of a migration with statements that PostgreSQL rejects inside a transaction. */
const MARK = /^-- svc: no transaction\s*$/m;

/** Statements that can safely run twice: after a crash such a file runs again from its first statement. */
const REPEATABLE =
  /^(CREATE (UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS|DROP INDEX CONCURRENTLY IF EXISTS|ALTER TYPE \S+ ADD VALUE IF NOT EXISTS|VACUUM)\b/i;
const TRANSACTION_CONTROL =
  /^(BEGIN|START TRANSACTION|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE|PREPARE TRANSACTION)\b/i;

/**
 * The statements of a migration that is marked with `-- svc: no transaction`; undefined for any other, which runs as a
 * whole in one transaction. Throws an error of one sentence for a marked file with a statement that must not run twice,
 * and for an unmarked file that begins or ends a transaction itself.
 */
export function statementsWithoutTransaction(name: string, sql: string): string[] | undefined {
  const statements = splitSql(sql);
  if (!MARK.test(sql)) {
    const control = statements.find((statement) => TRANSACTION_CONTROL.test(statement));
    if (control === undefined) return undefined;
    throw new Error(
      `${name} contains "${firstLine(control)}": a migration runs in one transaction, so leave that out.`,
    );
  }
  const unsafe = statements.find((statement) => !REPEATABLE.test(statement));
  if (unsafe === undefined) return statements;
  throw new Error(
    `${name} is marked "svc: no transaction" and contains "${firstLine(unsafe)}", which must not run twice; use CONCURRENTLY with IF [NOT] EXISTS, or move it into a migration of its own.`,
  );
}

/** Statements without their comments, each on one line. */
function splitSql(sql: string): string[] {
  const bare = sql.replace(QUOTED, (quoted) => (COMMENT.test(quoted) ? " " : quoted));
  const statements: string[] = [];
  let start = 0;
  const masked = bare.replace(QUOTED, (quoted) => "x".repeat(quoted.length));
  for (let end = masked.indexOf(";"); start < masked.length; end = masked.indexOf(";", start)) {
    const text = bare.slice(start, end < 0 ? undefined : end).trim();
    if (text !== "") statements.push(text);
    start = end < 0 ? masked.length : end + 1;
  }
  return statements;
}

const firstLine = (statement: string): string => statement.replace(/\s+/g, " ").slice(0, 80);
