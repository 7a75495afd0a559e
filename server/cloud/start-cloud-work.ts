import { existsSync } from "node:fs";
import path from "node:path";
import { deriveKey } from "../kernel/secrets";
import type { CloudParts } from "./cloud-ctx";
import { startFleetUpgrades } from "./gpu-pools/start-fleet-upgrades";
import { startInference } from "./inference/start-inference";
import { startConversions } from "./model-conversions/start-conversions";
import { PublicPorts } from "./networks/public-ports";
import { startCordons } from "./node-events/start-cordons";
import type { Objects } from "./objects/objects";
import { startReservations } from "./reservations/start-reservations";
import { startResources } from "./resources/start-resources";
import { startSandboxes } from "./sandboxes/start-sandboxes";
import { startShield } from "./shield/start-shield";
import type { CloudConfig, StartCloud } from "./start-cloud-options";
import { startDeliveries } from "./webhooks/start-deliveries";
import { noWebhookStep } from "./webhooks/steps";
import type { WebhookSender } from "./webhooks/webhook-sender";
import { startWorkspaces } from "./workspaces/start-workspaces";

/** The background work on resources, which only workers do. */
export function followResources(
  { connectionsPerAddressMax: max, isLoopback: exemptsLoopback }: CloudConfig,
  { alarms, log, stops }: StartCloud,
  ctx: CloudParts,
): void {
  stops.push("resources", startResources({ ...ctx.reconciling, log }, alarms).stop);
  stops.push("inference endpoints", startInference(() => ctx, alarms).stop);
  const ports = new PublicPorts({ ...ctx, log, alarms, connectionsPerAddress: { max, exemptsLoopback } });
  stops.push("public ports", () => ports.stop());
}

/** What only workers do. */
export function startWork(
  { currency, publicUrl }: CloudConfig,
  { engines, account, alarms, log, stops, atWebhookStep: atStep = noWebhookStep }: StartCloud,
  sender: WebhookSender,
): void {
  const { db, sql } = engines;
  const { clock } = account;
  const deliveries = startDeliveries({ sql, clock, log, atStep, sender, alarms });
  stops.push("webhook deliveries", () => deliveries.stop());
  const reservations = startReservations({ db, sql, clock, currency, publicUrl, alarms });
  stops.push("reservations", () => reservations.stop());
  const sandboxes = startSandboxes({ db, sql, clock, currency, publicUrl, alarms });
  stops.push("sandboxes", () => sandboxes.stop());
  const workspaces = startWorkspaces({ db, sql, clock, currency, publicUrl, alarms });
  stops.push("workspaces", () => workspaces.stop());
  const upgrades = startFleetUpgrades({ db, clock, alarms });
  stops.push("fleet upgrades", () => upgrades.stop());
  const cordons = startCordons({ db, clock, alarms });
  stops.push("cordons of tenants", () => cordons.stop());
}

/** What workers do with objects in the background. */
export function startObjectWork(
  { engines, account: { clock }, alarms, log, stops, scanWorkerFile, modelNetwork: network }: StartCloud,
  objects: Objects,
): void {
  const { db, sql, secret } = engines;
  const scanFile = scanWorkerFile ?? path.join(import.meta.dirname, "scan-worker.mjs");
  const shieldKey = deriveKey(secret, "shield");
  const scans = startShield({ db, sql, clock, log, objects, workerFile: scanFile, shieldKey, alarms });
  stops.push("scans of buckets", () => scans.stop());
  const tensorFile = path.join(import.meta.dirname, "tensor-worker.mjs");
  // Without the built file this thread converts, which is slower.
  const workerFile = existsSync(tensorFile) ? tensorFile : undefined;
  const conversions = startConversions({ db, sql, clock, log, objects, network, workerFile }, alarms);
  stops.push("conversions of models", () => conversions.stop());
}
