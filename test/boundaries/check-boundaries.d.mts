export function findBreaches(baseDir: string, folders?: string[]): Promise<{ breaches: string[]; modules: number }>;
