import type { Wal } from "../../engines/wal/wal";
import type { FactRow, RequestFact } from "./fact-rows";

/** A click that was answered while Postgres was away: replay claims it under the id that the visitor already carries. */
export interface PendingClick {
  offer_id: string;
  click_id: string;
  at: number;
}

/** A line of the write-ahead file. */
export type Fact =
  | { k: "request"; f: RequestFact }
  | { k: "rows"; t: "impressions" | "clicks"; r: FactRow[] }
  | { k: "click"; c: PendingClick };

/** Durable facts that wait for ClickHouse in this process's write-ahead file. */
export class FactLog {
  readonly #wal: Pick<Wal, "append">;

  constructor(wal: Pick<Wal, "append">) {
    this.#wal = wal;
  }

  /** Resolves when the fact survives power loss. Throws `unavailable` when the disk is full or too much waits. */
  append(fact: Fact): Promise<void> {
    return this.#wal.append(JSON.stringify(fact));
  }
}
