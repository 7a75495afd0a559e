export interface WidgetVersion {
  path: string;
  integrity: string;
}
export function widgetVersion(script: Uint8Array): WidgetVersion;
