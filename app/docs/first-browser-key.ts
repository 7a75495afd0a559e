interface ListedKey {
  kind: string;
  revoked_at: string | null;
  /** The whole key, only of kind `browser`. */
  key?: string | null;
}

/** The first active browser key that is listed as text. Other keys are secret and never part of an example. */
export const firstBrowserKey = (keys: readonly ListedKey[]): string | undefined =>
  keys.find(({ kind, revoked_at, key }) => kind === "browser" && revoked_at === null && key?.startsWith("svc_pub_"))
    ?.key ?? undefined;
