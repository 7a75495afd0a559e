import { LRUCache } from "lru-cache";
import { addressHash, isLoopbackAddress, networkHash } from "../../identity/address-hash";

/** The number of cached results: parsing an address is expensive. */
const ADDRESSES_REMEMBERED = 1000;

/** Hashes client addresses and exempts loopback clients from limits. */
export function visitorsOf({ isLoopback }: { isLoopback: boolean }, addressKey: Buffer) {
  const loopback = new LRUCache<string, boolean>({ max: ADDRESSES_REMEMBERED, memoMethod: isLoopbackAddress });
  return {
    hashAddress: (address: string) => addressHash(addressKey, address),
    hashNetwork: (address: string) => networkHash(addressKey, address),
    /** Loopback clients have no limits when PUBLIC_URL is a loopback address. */
    isExempt: (address: string) => isLoopback && loopback.memo(address),
  };
}
