import path from "node:path";
import type { Demo } from "./ads/demo/open-demo";
import type { Config } from "./config";

/** Prints the addresses and credentials that a person needs after the start. */
export function welcome(config: Config, demo: Demo | undefined): void {
  if (!config.roles.has("web")) {
    process.stdout.write(
      `svc runs as a background worker (ROLE=worker); /healthz, /readyz, /metrics: port ${config.port}\n`,
    );
    return;
  }
  const lines = [`svc is running on ${config.publicUrl}`, ""];
  lines.push(`Dashboard   ${config.publicUrl}/dashboard`);
  if (demo) {
    lines.push(
      `Demo page   ${config.publicUrl}/demo`,
      `Docs        ${config.publicUrl}/docs`,
      `Log in as   ${demo.dashboard.email}  ${demo.dashboard.password}`,
      `Server key  ${demo.channel.server_key}`,
      `All keys    ${path.join(config.dataDir, "demo.json")}`,
    );
  } else {
    lines.push(`Sign up at  ${config.publicUrl}/sign-up`);
  }
  lines.push("", "Stop with Ctrl-C.");
  const width = Math.max(...lines.map((line) => line.length));
  const box = lines.map((line) => `│ ${line.padEnd(width)} │`);
  process.stdout.write(`╭${"─".repeat(width + 2)}╮\n${box.join("\n")}\n╰${"─".repeat(width + 2)}╯\n`);
  if (demo) {
    process.stdout.write(
      `\nTry it:\ncurl ${config.publicUrl}/api/v1/offers -H 'Content-Type: application/json' \\\n` +
        `  -H 'X-SVC-API-Key: ${demo.channel.server_key}' -d '{"query":"wireless headphones"}'\n\n`,
    );
  }
}
