import type { WidgetVersion } from "./widget-version.mjs";

export function buildWidget(options: {
  rootDir: string;
  outFile: string;
}): Promise<{ outFile: string; version: WidgetVersion }>;
