export function buildFeedWorker(options: { outFile: string }): Promise<void>;
