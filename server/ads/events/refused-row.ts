/** SQLSTATE class 22, data exception. */
const ROW_STATES = /^22/;

/** Returns true if a waiting click can never be claimed: it is not valid JSON, or Postgres rejects its values. */
export function isRefusedClick(failure: unknown): boolean {
  if (failure instanceof SyntaxError) return true;
  return failure instanceof Error && "code" in failure && ROW_STATES.test(String(failure.code));
}
