/** Who asks, as far as the transport tells. */
export interface Visitor {
  requestId: string;
  userAgent: string;
  /** A keyed hash; the address itself is not kept. */
  addressHash: string;
  /** The address lies in a range that SVC_DATA_CENTER_RANGES names. */
  dataCenter: boolean;
  /** Loopback visitors of a loopback installation have no rate limits. */
  exempt: boolean;
  /** Sec-GPC: 1. */
  gpc: boolean;
  /** A browser fetches ahead, nobody has looked or clicked. */
  prefetch: boolean;
  head: boolean;
}
