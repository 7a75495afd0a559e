import { z } from "zod";

const ID_MAX = 256;
const EMAIL = /[^\s@]@[^\s@.]+\.[^\s@]/;
const DIGITS_MIN = 7;
const DIGITS_MAX = 15;
/** Digits and what people put between them, nothing else. */
const DIALLED = /^\+?[\d\s().\-/]+$/;
/** Ids have no spaces and no brackets; with dashes or dots alone a phone number has three short groups or more. */
const SPACED = /[\s()]/;
const GROUPED = /^\d{1,4}(?:[.\-/]\d{2,4}){2,6}$/;

/**
 * A user or session as the publisher names it. What looks like an e-mail address or a phone number is refused: a name
 * that anybody can read has no place in logs and URLs. Plain digits pass, because databases number their users so.
 */
export const VisitorId = z
  .string()
  .max(ID_MAX)
  .refine((id) => !isPersonal(id), {
    error:
      "looks like an e-mail address or a phone number; send a keyed hash (HMAC) of it instead, never personal data",
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
