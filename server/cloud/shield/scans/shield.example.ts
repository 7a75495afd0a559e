import { EXAMPLE_TIME, exampleId } from "../../../operation/example";
import type { ShieldFinding } from "./shield-finding";
import type { ShieldScan } from "./shield-scan";

const place = {
  project_id: exampleId("prj"),
  mode: "live" as const,
  bucket_id: exampleId("bkt"),
  bucket: "acme-uploads",
};
const NOTHING = { objects: 0, objects_total: null, bytes: 0, bytes_total: null };

/** A scan that waits for its turn. */
export const newScanExample: ShieldScan = {
  ...place,
  id: exampleId("scn"),
  prefix: "exports/",
  status: "queued",
  failure: null,
  progress: { ...NOTHING, unchanged: 0, binary: 0, partly: 0, unreadable: 0 },
  findings: { critical: 0, high: 0, medium: 0, low: 0, new: 0, resolved: 0, omitted: 0 },
  created_at: EXAMPLE_TIME,
  started_at: null,
  finished_at: null,
};

export const scanExample: ShieldScan = {
  ...newScanExample,
  status: "completed",
  progress: {
    objects: 120,
    objects_total: 120,
    bytes: 48_230_400,
    bytes_total: 48_230_400,
    unchanged: 90,
    binary: 12,
    partly: 0,
    unreadable: 0,
  },
  findings: { critical: 1, high: 0, medium: 2, low: 3, new: 1, resolved: 0, omitted: 0 },
  started_at: "2026-11-20T09:00:01.000Z",
  finished_at: "2026-11-20T09:00:04.000Z",
};

export const findingExample: ShieldFinding = {
  ...place,
  id: exampleId("fnd"),
  key: "exports/settings.env",
  rule: "github_token",
  title: "GitHub token",
  category: "secret",
  severity: "critical",
  confidence: "high",
  evidence: "ghp_…17 (40 characters)",
  offset: 126,
  encoding: "none",
  occurrences: 1,
  matches: 1,
  remedy: "Revoke the key at its provider, delete the object, and keep the new key as a secret.",
  status: "open",
  first_seen_at: "2026-11-20T09:00:02.000Z",
  last_seen_at: "2026-11-20T09:00:02.000Z",
  resolved_at: null,
  last_scan_id: exampleId("scn"),
};
