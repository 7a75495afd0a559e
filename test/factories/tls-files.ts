import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Self-signed for localhost until 2126; only for tests. */
export const CERT = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUVT1Y4SxSmAhjXz8uRIelCFCIOkUwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEyNTMxOVoYDzIxMjYxMDI4
MTI1MzE5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARJCYSsULRD8EKSDhkKp86qhtXyp1NYZxNh1agA03Tngfv940W86E6/
DDM/Md3dwJ0MEqOb9SW+gZaJ1KV7+y7Ao28wbTAdBgNVHQ4EFgQUdCNkYb8fnCKI
xSBUbR232DuRRWAwHwYDVR0jBBgwFoAUdCNkYb8fnCKIxSBUbR232DuRRWAwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgWFVMKMYy7ITn2Fl1WIpwsY4AiYU8f9zMi5aMx6M1FMMCIQD3
XXvsXOgzftDkJVRAp3poRu+6m78Ko94a1d02KMa0NQ==
-----END CERTIFICATE-----
`;
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdTrXMwJ2bWVR3fNL
ttEHVXIs9CtvBVoItN9FJQr6S8OhRANCAARJCYSsULRD8EKSDhkKp86qhtXyp1NY
ZxNh1agA03Tngfv940W86E6/DDM/Md3dwJ0MEqOb9SW+gZaJ1KV7+y7A
-----END PRIVATE KEY-----
`;

/** The files of a server's certificate and key. */
export interface TlsFiles {
  certFile: string;
  keyFile: string;
  remove(): void;
}

export function makeTlsFiles(): TlsFiles {
  const dir = mkdtempSync(path.join(os.tmpdir(), "svc-tls-"));
  const files = { certFile: path.join(dir, "cert.pem"), keyFile: path.join(dir, "key.pem") };
  writeFileSync(files.certFile, CERT);
  writeFileSync(files.keyFile, KEY);
  return { ...files, remove: () => rmSync(dir, { recursive: true }) };
}
