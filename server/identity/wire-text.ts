import { z } from "zod";

const ID_LENGTH_MAX = 100;

/** An id in a request; NUL is rejected because Postgres cannot compare text that contains it. */
export const IdText = z
  .string()
  .max(ID_LENGTH_MAX, "expected an id")
  .refine((text) => !text.includes("\0"), "expected an id");

/** A display name: one line, so that it fits the subject of an email. */
export const NameText = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}]{1,100}$/u, "expected a name of 1 to 100 characters on one line")
  // Repeated as a pattern for the API documents, whose regular expressions may not support character classes.
  .meta({ pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]{1,100}$" });

export const ModeName = z.enum(["test", "live"]);

/** A time in ISO 8601 with a UTC offset, parsed into a Date. */
export const Moment = z.iso
  .datetime({ offset: true, error: "expected a time with a UTC offset, such as 2026-11-20T08:00:00Z" })
  .transform((text) => new Date(text));
