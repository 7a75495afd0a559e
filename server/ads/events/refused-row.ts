import { ClickHouseError } from "@clickhouse/client";

/**
 * ClickHouse error names that mean that a row is invalid, not that the server failed:
 * https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp. Other errors are retried, because a
 * row that is dropped by mistake is lost to the reports.
 */
const ROW_ERRORS =
  /^(CANNOT_PARSE_\w+|CANNOT_CONVERT_TYPE|CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN|CANNOT_READ_(ALL_DATA|ARRAY_FROM_TEXT|MAP_FROM_TEXT)|INCORRECT_DATA|TYPE_MISMATCH|ARGUMENT_OUT_OF_BOUND|VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE|TOO_LARGE_(STRING|ARRAY)_SIZE|DECIMAL_OVERFLOW|VIOLATED_CONSTRAINT|UNKNOWN_ELEMENT_OF_ENUM|ATTEMPT_TO_READ_AFTER_EOF)$/;
/** SQLSTATE class 22, data exception. */
const ROW_STATES = /^22/;

/** Returns true if ClickHouse rejected the rows of an insert, as opposed to a temporary server failure. */
export const isRefusedInsert = (failure: unknown): boolean =>
  failure instanceof ClickHouseError && ROW_ERRORS.test(failure.type ?? "");

/** Returns true if a waiting click can never be claimed: it is not valid JSON, or Postgres rejects its values. */
export function isRefusedClick(failure: unknown): boolean {
  if (failure instanceof SyntaxError) return true;
  return failure instanceof Error && "code" in failure && ROW_STATES.test(String(failure.code));
}
