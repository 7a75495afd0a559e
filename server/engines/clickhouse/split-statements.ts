/** Start and end of every construct in which a semicolon does not end a statement. */
const QUOTES: Record<string, string> = { "'": "'", '"': '"', "`": "`", "--": "\n", "/*": "*/" };

/** Splits an SQL file at the semicolons outside quotes and comments; keeps comments and drops empty statements. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let hasContent = false;
  const finish = (end: number) => {
    if (hasContent) statements.push(sql.slice(start, end).trim());
    start = end + 1;
    hasContent = false;
  };
  for (let at = 0; at < sql.length; ) {
    const opening = openingAt(sql, at);
    const isComment = opening === "--" || opening === "/*";
    if (opening !== undefined) {
      hasContent ||= !isComment;
      at = endOfQuoted(sql, at, opening);
      continue;
    }
    if (sql[at] === ";") finish(at);
    else if (!/\s/.test(sql.charAt(at))) hasContent = true;
    at++;
  }
  finish(sql.length);
  return statements;
}

function openingAt(sql: string, at: number): string | undefined {
  const two = sql.slice(at, at + 2);
  if (two in QUOTES) return two;
  const one = sql.charAt(at);
  return one in QUOTES ? one : undefined;
}

/** The index after the quoted part; a backslash escapes in strings, and a doubled quote reads as two strings. */
function endOfQuoted(sql: string, at: number, opening: string): number {
  const closing = QUOTES[opening] ?? opening;
  const escapes = opening.length === 1;
  for (let i = at + opening.length; i < sql.length; i++) {
    if (escapes && sql[i] === "\\") i++;
    else if (sql.startsWith(closing, i)) return i + closing.length;
  }
  return sql.length;
}
