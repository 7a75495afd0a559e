import { z } from "zod";

/** A whole number as text in a query string; unlike coercion it takes neither null nor an empty text for 0. */
export const integerInQuery = (min: number, max: number) =>
  z.preprocess(
    (value: number | string) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
    z.int().min(min).max(max),
  );
