import { startApi } from "./api";
import { origin } from "./settings";

// If a page has the script tag twice, the first one is used.
if (origin && !window.svc?.ready) startApi();
