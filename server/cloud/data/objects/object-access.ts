/** Every tenant has these groups as grantees: all callers, and those with credentials. */
export const GROUPS = ["all_users", "authenticated_users"] as const;

export const PERMISSIONS = ["read", "write", "read_acp", "write_acp", "full_control"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** One entry of an access list. */
export interface Grant {
  /** A group, or the id of a tenant. */
  grantee: string;
  permission: Permission;
}

/** Who owns an object, and its access list of at most 100 grants. */
export interface ObjectAccess {
  /** The id of a tenant. */
  owner: string;
  grants: readonly Grant[];
}
