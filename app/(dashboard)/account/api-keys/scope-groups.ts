import type { Outputs } from "../../../trpc/client";

export type Scope = Outputs["listScopes"][number]["scope"];

export interface ScopeInfo {
  scope: Scope;
  description: string;
  /** Whether an endpoint uses it. */
  in_use: boolean;
}

export interface ScopeGroup {
  label: string;
  scopes: ScopeInfo[];
}

const PRODUCTS: [label: string, nouns: string[]][] = [
  ["Offers", ["ads"]],
  ["Account", ["keys", "projects", "usage", "audit", "billing"]],
];
const OTHER = "Cloud";

/** Scopes grouped by product, in catalogue order. */
export function groupScopes(scopes: ScopeInfo[]): ScopeGroup[] {
  const productOf = ({ scope }: ScopeInfo) =>
    PRODUCTS.find(([, nouns]) => nouns.includes(scope.split(":")[0] ?? ""))?.[0] ?? OTHER;
  return [...PRODUCTS.map(([label]) => label), OTHER]
    .map((label) => ({ label, scopes: scopes.filter((one) => productOf(one) === label) }))
    .filter((group) => group.scopes.length > 0);
}

export interface Preset {
  label: string;
  scopes: Scope[];
}

/** Presets, limited to scopes that an endpoint uses. */
export const presetsOf = (scopes: ScopeInfo[]): Preset[] => {
  const inUse = scopes.filter(({ in_use }) => in_use).map(({ scope }) => scope);
  return [
    { label: "None", scopes: [] },
    { label: "Read only", scopes: inUse.filter((scope) => scope.endsWith(":read")) },
    { label: "Everything in use", scopes: inUse },
  ];
};

export const matchesPreset = (chosen: ReadonlySet<Scope>, { scopes }: Preset): boolean =>
  chosen.size === scopes.length && scopes.every((scope) => chosen.has(scope));
