import type { Surface } from "./mount-rows";
import { orderRoutes } from "./routes";

const PATHS = orderRoutes.map(({ path }) => path);

/** Adds the paths for advertisers to the offers API; they use the pipeline of platform keys. */
export const withOrders = (offers: Surface, orders: Surface): Surface => ({
  fetch: (request, peer) => {
    // Most requests are for other paths, and parsing every URL would be slower than this check.
    const isOrder = PATHS.some((path) => request.url.includes(path) && new URL(request.url).pathname === path);
    return (isOrder ? orders : offers).fetch(request, peer);
  },
});
