/** Writes Scalar's browser script, gzipped, to `outFile`. Throws if the installed package no longer contains it. */
export declare function buildReference(options: { outFile: string }): Promise<void>;
