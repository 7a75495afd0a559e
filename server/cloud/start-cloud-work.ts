import { existsSync } from "node:fs";
import path from "node:path";
import { deriveKey } from "../kernel/secrets";
import { startInference } from "./ai/inference/start-inference";
import type { CloudParts } from "./cloud-ctx";
import { startCordons } from "./compute/node-events/start-cordons";
import { startFleetUpgrades } from "./compute/pools/start-fleet-upgrades";
import { PublicPorts } from "./compute/public-ports/public-ports";
import { startReservations } from "./compute/reservations/start-reservations";
import { startSandboxes } from "./compute/sandboxes/start-sandboxes";
import { startWorkspaces } from "./compute/workspaces/start-workspaces";
import { startResources } from "./core/resources/start-resources";
import { startConversions } from "./data/model-conversions/start-conversions";
import type { Objects } from "./data/objects/objects";
import { startDeliveries } from "./events/webhooks/start-deliveries";
import { noWebhookStep } from "./events/webhooks/steps";
import type { WebhookSender } from "./events/webhooks/webhook-sender";
import { startShield } from "./shield/scans/start-shield";
import type { CloudConfig, StartCloud } from "./start-cloud-options";

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
