import type { AdsParts } from "./ads/ads-parts";
import type { Catalog } from "./ads/catalog/catalog";
import type { Vectors } from "./ads/vectors/start-vectors";
import type { CloudParts } from "./cloud/cloud-parts";
import type { Config } from "./config";
import { createSurfaces, type Surfaces } from "./create-surfaces";
import type { IdentityParts } from "./identity/identity-parts";
import type { authenticateSession } from "./identity/sessions/authenticate-session";
import { StopStack } from "./kernel/stop-stack";
import { type ProductsParts, startProducts } from "./start-products";
import type { McpParts } from "./surfaces/mcp/exchange";

export interface App extends Surfaces {
  account: IdentityParts;
  ads: AdsParts;
  cloud: CloudParts;
  /** Creatives and products that can be served. */
  catalogSize(): number;
  catalog: Pick<Catalog, "bytes" | "leftOut">;
  /** The semantic engine, if one is configured. */
  vectors: Vectors | undefined;
  /** A sentence on why functions cannot run here; undefined: they can. */
  functionsMissing: () => Promise<string | undefined>;
  /** Ids in impression reports that cannot be offer ids. */
  ignoredImpressionIds(): number;
  /** Blobs of stored objects that scrubbing has verified in this process. */
  scrubbedBlobs: { ok: number; lost: number };
  /**
   * Facts missing from reports, by kind: dropped under back pressure, rejected by ClickHouse, and rejected but not
   * stored because the dead-letter file is full.
   */
  lostFacts: Record<"shed" | "refused" | "dropped", ReadonlyMap<string, number>>;
  session: (cookie: string | null) => ReturnType<typeof authenticateSession>;
  /** Runs all background work that is due, and what follows from it; for tests. */
  settle(): Promise<void>;
  /** Ends requests that wait for messages, which respond with none; call it when the process begins to stop. */
  endWaits(): void;
  /** Finishes accepted work, then stops every loop; the caller stops the engines. */
  stop(): Promise<void>;
}

export interface AppParts extends ProductsParts {
  /** Replaces what runs the requests of agents; for tests of the protocol. */
  replaceAgentHandlers?: McpParts["replaceHandlers"];
}

/**
 * Creates the contexts of the products, the pipeline and the surfaces. If it throws, it first stops everything that it
 * started.
 */
export async function createApp(config: Config, parts: AppParts): Promise<App> {
  const stops = new StopStack();
  try {
    return await startParts(config, parts, stops);
  } catch (failure) {
    await stops.stop().catch(() => undefined);
    throw failure;
  }
}

async function startParts(config: Config, parts: AppParts, stops: StopStack): Promise<App> {
  const products = await startProducts(config, parts, stops);
  const { alarms, identity, ads, cloud } = products;
  const { catalog, ignoredIds, lostFacts, vectors } = ads.ctx;
  return {
    ...createSurfaces(config, products, {
      stops,
      replaceAgentHandlers: parts.replaceAgentHandlers,
      atStep: parts.atStep,
    }),
    account: identity.ctx,
    session: identity.session,
    ads: ads.ctx,
    cloud: cloud.ctx,
    settle: alarms.settle,
    endWaits: cloud.endWaits,
    scrubbedBlobs: cloud.ctx.scrubbed,
    functionsMissing: cloud.ctx.functionsMissing,
    catalogSize: () => catalog.size,
    lostFacts,
    vectors,
    catalog,
    ignoredImpressionIds: () => ignoredIds.count,
    stop: () => stops.stop(),
  };
}
