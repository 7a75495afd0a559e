export function buildDocsIndex(options: { rootDir: string; outDir: string }): Promise<void>;
