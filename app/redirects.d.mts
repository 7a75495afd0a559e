type Pair = readonly [from: string, to: string];

export declare const MOVED_PAGES: readonly Pair[];
export declare const START_PAGES: readonly Pair[];
export declare const REDIRECTS: readonly { source: string; destination: string; permanent: boolean }[];
