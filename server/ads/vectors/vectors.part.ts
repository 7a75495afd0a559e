import type { Part } from "../../identity/part";
import type { NearestItems } from "./nearest-items";
import { type StartVectors, startVectors, type Vectors, type VectorsConfig } from "./start-vectors";

interface Needs extends Pick<StartVectors, "sql" | "clock" | "log"> {
  config: {
    /** The semantic engine; undefined: offers are found by words only. */
    embeddings: VectorsConfig | undefined;
    roles: ReadonlySet<string>;
    catalogBytes: number;
  };
}

interface Gives {
  /** undefined if no semantic engine is configured. */
  vectors: Vectors | undefined;
  nearest: NearestItems | undefined;
}

/** The share of the index's memory that the vectors may use in addition to it. */
const VECTORS_SHARE = 0.5;

/** The semantic engine, if one is configured. */
export const vectorsPart: Part<Needs, Gives> = {
  name: "vectors",
  start: ({ sql, clock, log, config: { embeddings, roles, catalogBytes } }) => {
    const bytesMax = catalogBytes * VECTORS_SHARE;
    const vectors = embeddings && startVectors(embeddings, { sql, clock, log, roles, bytesMax });
    return { gives: { vectors, nearest: vectors?.nearest }, stop: () => vectors?.stop() };
  },
};
