export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Normalizes a value as a jsonb column returns it: no undefined, NUL or unpaired surrogates. */
export const storedJson = (value: unknown): Json =>
  JSON.parse(
    JSON.stringify(value, (_name, part: unknown) =>
      typeof part === "string" ? part.replace(/[\0\p{Surrogate}]/gu, "\u{fffd}") : part,
    ),
  ) as Json;
