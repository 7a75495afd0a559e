import { Resolver } from "node:dns/promises";
import { guardedFetch } from "../../engines/guarded-fetch";

const TIMEOUT_MS = 5000;
const FILE_BYTES_MAX = 4096;

/**
 * Where the owner of a domain publishes a token. Both methods throw an Error whose message explains why nothing was
 * found.
 */
export interface DomainSources {
  /** The TXT records of a name. */
  records(name: string): Promise<string[]>;
  /** The text at an https URL. */
  file(url: string): Promise<string>;
}

export const publicDomainSources: DomainSources = {
  records: async (name) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
    } catch {
      throw new Error(`${name} has no TXT record.`);
    }
  },
  file: async (url) => {
    const { status, body } = await guardedFetch(url, { timeoutMs: TIMEOUT_MS, bodyBytesMax: FILE_BYTES_MAX });
    if (status !== 200) throw new Error(`The server responded with status ${status} instead of 200.`);
    return body;
  },
};
