/** Writes Scalar's browser script, gzipped, to `outFile`. Throws when the installed package no longer carries it. */
export declare function buildReference(options: { outFile: string }): Promise<void>;
