import { extraTool, type Tool } from "../../operation/tool";
import { getReport } from "./get-report";

export const reportTools: readonly Tool[] = [
  extraTool("svc_ads_reports_get", getReport, { without: ["mode", "format"] }),
];
