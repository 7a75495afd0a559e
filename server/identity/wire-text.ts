import { z } from "zod";

const ID_LENGTH_MAX = 100;

/** An id as a caller may send it; Postgres cannot even compare a text that holds a NUL. */
export const IdText = z
  .string()
  .max(ID_LENGTH_MAX, "expected an id")
  .refine((text) => !text.includes("\0"), "expected an id");

/** A name that people read: one line, so that it fits the subject of a letter. */
export const NameText = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}]{1,100}$/u, "expected a name of 1 to 100 characters on one line")
  // The same for readers of the API documents, whose regular expressions may not know classes of characters.
  .meta({ pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]{1,100}$" });
