import { ServiceError } from "../../kernel/errors";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const QUOTED = /^"(.*)"$/;

/**
 * Returns the UUID of an `Idempotency-Key` header in lower case. The header is the bare UUID or a quoted string
 * (draft-ietf-httpapi-idempotency-key-header-06). Throws `invalid_request` for anything else.
 */
export function idempotencyKeyOf(header: string): string {
  const key = (QUOTED.exec(header)?.[1] ?? header).toLowerCase();
  if (UUID.test(key)) return key;
  throw new ServiceError(
    "invalid_request",
    "Idempotency-Key: expected a UUID; send a new one with each new request and the same one with each retry.",
    { param: "Idempotency-Key" },
  );
}
