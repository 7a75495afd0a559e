import { impressionReporter } from "./report-impressions";
import { readSettings } from "./settings";
import { watchSlots } from "./watch-slots";

declare global {
  interface Window {
    svc?: {
      /** Asks anew for every slot of the page. */
      refresh(): void;
    };
  }
}

/** The script tag may stand on a page twice; the first one serves it. */
function start(): void {
  const script = document.currentScript || document.querySelector("script[src][data-key^=svc_]");
  const settings = readSettings(script as HTMLScriptElement | null);
  if (!settings || window.svc?.refresh) return;
  const refresh = watchSlots({ settings, seen: impressionReporter(settings.origin) });
  window.svc = { refresh };
}

start();
