/** Starts the engines of a run for all runs of vitest that this process starts; resolves to how they are stopped. */
export function startEngines(options: { rootDir: string }): Promise<() => Promise<void>>;
/** What `startEngines` of the process that started this run gives; undefined if there is none. */
export function sharedEngines(): Record<string, unknown> | undefined;
