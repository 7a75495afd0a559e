export function buildThread(options: { name: "feed-worker" | "scan-worker"; outFile: string }): Promise<void>;
