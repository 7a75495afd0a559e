import { z } from "zod";
import type { User as UserRow } from "../../engines/postgres/generated/client";
import { toWire } from "../../kernel/to-wire";
import type { AuditTarget, Change } from "../audit/record-audit";

const EMAIL_LENGTH_MAX = 254;

/**
 * An email address in its stored form: trimmed and in lower case; at most 254 characters (RFC 5321 section 4.5.3.1).
 */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(EMAIL_LENGTH_MAX, "expected at most 254 characters")
  .pipe(z.email("expected an email address such as ada@example.com"));

const PASSWORD_RULE = "expected a password of 10 to 200 characters";

/** Length is the only rule (NIST SP 800-63B section 3.1.1.2); the upper bound limits the cost of a hash. */
export const Password = z.string().min(10, PASSWORD_RULE).max(200, PASSWORD_RULE);

/** A password to be compared with the stored hash, so only its length is checked. */
export const PasswordAttempt = z.string().max(200, "expected at most 200 characters");

/** A code from the account's mailbox; an empty string requests one. */
export const CodeAttempt = z.string().trim().max(20, "expected at most 20 characters");

export const User = z.object({
  id: z.string(),
  email: z.string(),
  email_verified_at: z.string().nullable(),
  created_at: z.string(),
});
export type User = z.output<typeof User>;

export const toUser = (row: Pick<UserRow, "id" | "email" | "emailVerifiedAt" | "createdAt">): User =>
  toWire(User, row, {});

export const userTarget = ({ id, email }: Pick<UserRow, "id" | "email">): AuditTarget => ({
  type: "user",
  id,
  name: email,
});

export const emailVerified = (user: Pick<UserRow, "id" | "email">): Change => ({
  action: "user.email_verified",
  targets: [userTarget(user)],
});
