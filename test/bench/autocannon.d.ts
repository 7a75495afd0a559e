declare module "autocannon" {
  interface Result {
    requests: { average: number };
    latency: { p50: number; p99: number };
    "4xx": number;
    "5xx": number;
    errors: number;
    timeouts: number;
  }
  export default function autocannon(options: object): Promise<Result>;
}
