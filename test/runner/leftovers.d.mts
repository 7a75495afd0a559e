/** Ends, unmounts and removes what carries the mark of a run; resolves to one sentence per thing removed. */
export function removeLeftovers(mark: string, folders: readonly string[]): Promise<string[]>;
/** The processes that carry the mark, and those that they started. */
export function processesOf(mark: string): number[];
