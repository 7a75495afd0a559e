export function buildThread(options: {
  name: "feed-worker" | "otlp-worker" | "scan-worker" | "tensor-worker";
  outFile: string;
}): Promise<void>;
