import { startApi } from "./api";
import { origin } from "./settings";

// The script tag may stand on a page twice; the first one serves it.
if (origin && !window.svc?.ready) startApi();
