export function buildThread(options: {
  name: "feed-worker" | "scan-worker" | "tensor-worker";
  outFile: string;
}): Promise<void>;
