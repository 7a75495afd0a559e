/** Scopes that an endpoint of the platform API asks for today; a key keeps the others for what comes later. */
const IN_USE: ReadonlySet<string> = new Set(["ads:read", "ads:write"]);

export const isInUse = (scope: string): boolean => IN_USE.has(scope);
