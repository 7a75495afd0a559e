import type { Settings } from "./settings";

/** What every slot of the page shares. */
export interface Page {
  settings: Settings;
  /** Reports an offer as seen; a repeated id is ignored. */
  seen: (id: string) => void;
}
