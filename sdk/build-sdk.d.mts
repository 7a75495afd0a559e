export function buildSdk(options: { rootDir: string; outDir: string }): Promise<{ outDir: string }>;
