import { extraTool, tool } from "../../../operation/tool";
import { cancelShieldScan } from "./cancel-shield-scan";
import { createShieldScan } from "./create-shield-scan";
import { getShieldScan } from "./get-shield-scan";
import { listShieldFindings } from "./list-shield-findings";
import { listShieldScans } from "./list-shield-scans";

/** A key has one mode and project. */
const without = ["mode", "project"];

export const shieldTools = [
  tool("svc_shield_scan bucket*:s prefix:s", createShieldScan, {
    description:
      "Scans the objects of a bucket, or those below a prefix, for secrets, personal data and the malware test file, and the settings of the bucket. Returns at once with a queued scan: wait for its end with svc_shield_scans_get and wait_seconds, then read svc_shield_findings_list. A bucket has one scan at a time.",
  }),
  tool("svc_shield_scans", listShieldScans, {
    description: "Lists the scans of the project, newest first, at most 100, with progress and findings by severity.",
  }),
  extraTool("svc_shield_scans_get", getShieldScan),
  extraTool("svc_shield_scans_cancel", cancelShieldScan),
  extraTool("svc_shield_findings_list", listShieldFindings, { without }),
];
