import type { Pool } from "pg";
import type { Counters } from "../../engines/counters/counters";
import type { Clock } from "../../kernel/clock";
import type { Catalog } from "../catalog/catalog";
import type { Visitor } from "../visitor";

export interface PixelCtx {
  clock: Clock;
  counters: Counters;
  catalog: Catalog;
  sql: Pool;
  currency: string;
  /** Signs the tokens of conversion pixels. */
  pixelKey: Buffer;
  visitor: Visitor;
}
