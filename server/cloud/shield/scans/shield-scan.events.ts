import { type EventKind, eventKind } from "../../../operation/event-kind";
import { newScanExample, scanExample } from "./shield.example";
import { ShieldScan } from "./shield-scan";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const ScanFields = ShieldScan.extend({});

const kind = (type: string, description: string, example: ShieldScan) =>
  eventKind({ type, description, data: ScanFields, example });

export const shieldScanCreated = kind("shield_scan.created", "A scan of a bucket was requested.", newScanExample);
export const shieldScanCompleted = kind("shield_scan.completed", "A scan has read all objects.", scanExample);
export const shieldScanFailed = kind("shield_scan.failed", "A scan ended before it had read all objects.", {
  ...scanExample,
  status: "failed",
  failure: "The bucket was deleted.",
});
export const shieldScanCanceled = kind("shield_scan.canceled", "A scan was canceled; its findings so far stay.", {
  ...newScanExample,
  status: "canceled",
  finished_at: "2026-11-20T09:00:04.000Z",
});

export const shieldScanEventKinds: readonly EventKind[] = [
  shieldScanCreated,
  shieldScanCompleted,
  shieldScanFailed,
  shieldScanCanceled,
];
