import { z } from "zod";

const ID_MAX = 256;
const EMAIL = /[^\s@]@[^\s@.]+\.[^\s@]/;
const DIGITS_MIN = 7;
const DIGITS_MAX = 15;
/** Digits and common separators, nothing else. */
const DIALLED = /^\+?[\d\s().\-/]+$/;
/** Ids have no spaces or brackets; if a phone number has only dashes or dots, it has at least three short groups. */
const SPACED = /[\s()]/;
const GROUPED = /^\d{1,4}(?:[.\-/]\d{2,4}){2,6}$/;

/**
 * A user or session id from the publisher. Values that look like an email address or a phone number are rejected,
 * because personal data must not appear in logs and URLs. Plain digits are accepted, because databases often number
 * users that way.
 */
export const VisitorId = z
  .string()
  .max(ID_MAX)
  .refine((id) => !isPersonal(id), {
    error: "looks like an email address or a phone number; send a keyed hash (HMAC) of it instead, never personal data",
  })
  .default("");

function isPersonal(id: string): boolean {
  const plain = id.trim().replaceAll(/%40/gi, "@").replaceAll(/%2b/gi, "+");
  return EMAIL.test(plain) || isPhoneNumber(plain);
}

function isPhoneNumber(text: string): boolean {
  if (!DIALLED.test(text)) return false;
  const digits = text.replaceAll(/\D/g, "").length;
  if (digits < DIGITS_MIN || digits > DIGITS_MAX) return false;
  return text.startsWith("+") || SPACED.test(text) || GROUPED.test(text);
}
