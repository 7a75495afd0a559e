/** An example id with the given prefix: `chn_01jd0z3k5q8v6w2x4y7a9b1c3d`. */
export const exampleId = <P extends string>(prefix: P): `${P}_${string}` => `${prefix}_01jd0z3k5q8v6w2x4y7a9b1c3d`;

/** The id of an offer, which is a UUIDv7. */
export const EXAMPLE_OFFER_ID = "01935a3f-7c1e-7d7a-9f43-2f6f0a1b2c3d";
/** The token of a link in an email. */
export const EXAMPLE_TOKEN = "q1Zr9w…";

export const EXAMPLE_TIME = "2026-11-20T09:00:00.000Z";
export const EXAMPLE_LATER = "2026-11-20T10:00:00.000Z";
/** The times of a record that was not changed since it was created. */
export const EXAMPLE_TIMES = { created_at: EXAMPLE_TIME, updated_at: EXAMPLE_TIME } as const;

/** A last page with these records. */
export const examplePage = <T>(...data: T[]): { data: T[]; next_cursor: null } => ({ data, next_cursor: null });
