import { constants } from "node:crypto";
import type { ConnectionOptions, TlsOptions } from "node:tls";

/** How a caller of a served runtime identifies itself. */
export interface LinkCredentials {
  /** Not secret. */
  identity: string;
  /** 32 random bytes that only both ends have. */
  key: Buffer;
}

/**
 * TLS with a pre-shared key (RFC 8442): both ends prove that they have it, so no certificates are needed, and ephemeral
 * keys keep recorded traffic secret if it becomes known. Node supports pre-shared keys up to TLS 1.2.
 */
const PRE_SHARED = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
} as const;

/** `keyOf` returns undefined for an identity that is not accepted. */
export const serverSecurity = (keyOf: (identity: string) => Buffer | undefined): TlsOptions => ({
  ...PRE_SHARED,
  // A resumed session would skip the key, which may no longer be accepted.
  secureOptions: constants.SSL_OP_NO_TICKET,
  pskCallback: (_socket, identity) => keyOf(identity) ?? null,
});

export const clientSecurity = ({ identity, key }: LinkCredentials): ConnectionOptions => ({
  ...PRE_SHARED,
  pskCallback: () => ({ identity, psk: key }),
  // There is no certificate: the server has proved that it has the key.
  checkServerIdentity: () => undefined,
});
