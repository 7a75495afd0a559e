import { z } from "zod";

/** A whole number as digits in a query string; unlike coercion it takes neither null nor an empty text for 0, nor `1e3`. */
export const integerInQuery = (min: number, max: number) =>
  z.preprocess(
    (value: number | string) => (typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );
