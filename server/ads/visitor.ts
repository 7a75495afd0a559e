/** The client that sent a request, as the transport identifies it. */
export interface Visitor {
  requestId: string;
  userAgent: string;
  /** A keyed hash; the address itself is not stored. */
  addressHash: string;
  /** A keyed hash of the IPv4 /24 or IPv6 /48 around the address. */
  networkHash: string;
  /** The address is in a range from SVC_DATA_CENTER_RANGES. */
  dataCenter: boolean;
  /** True for loopback visitors of a loopback installation: they have no rate limits and no plausibility checks. */
  exempt: boolean;
  /** The request has the header `Sec-GPC: 1`. */
  gpc: boolean;
  /** The browser prefetches the page; the visitor did not view or click anything. */
  prefetch: boolean;
  head: boolean;
}
