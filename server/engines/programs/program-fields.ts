/** Programs start without the environment of svc, which has secrets and could change what they load. */
export const PROGRAM_ENVIRONMENT: Readonly<Record<string, string>> = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };

/** The fields that scripts read: `key=value`, each ended by a NUL. Values must not contain NUL. */
export const programFields = (fields: readonly (readonly [string, string])[]): string =>
  fields.map(([key, value]) => `${key}=${value}\0`).join("");
