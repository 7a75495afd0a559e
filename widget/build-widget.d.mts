export function buildWidget(options: { rootDir: string; outFile: string }): Promise<{ outFile: string }>;
