export interface KubeconfigParts {
  server: string;
  /** Base64 of PEM; undefined: the certificate is one of a public authority. */
  caData: string | undefined;
  skipTlsVerify: boolean;
  namespace: string;
  token: string;
}

/** A kubeconfig in JSON, which every client reads as YAML. It holds a secret. */
export const kubeconfigText = ({ server, caData, skipTlsVerify, namespace, token }: KubeconfigParts): string => {
  const cluster = {
    server,
    ...(caData !== undefined && { "certificate-authority-data": caData }),
    ...(skipTlsVerify && { "insecure-skip-tls-verify": true }),
  };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": namespace,
    clusters: [{ name: "svc", cluster }],
    users: [{ name: namespace, user: { token } }],
    contexts: [{ name: namespace, context: { cluster: "svc", user: namespace, namespace } }],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
};
