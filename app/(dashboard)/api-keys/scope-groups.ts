import type { Outputs } from "../../trpc/client";

export type Scope = Outputs["keys"]["scopes"][number]["scope"];

export interface ScopeFacts {
  scope: Scope;
  description: string;
  /** Whether an endpoint asks for it today. */
  in_use: boolean;
}

export interface ScopeGroup {
  label: string;
  scopes: ScopeFacts[];
}

const PRODUCTS: [label: string, nouns: string[]][] = [
  ["Offers", ["ads"]],
  ["Account", ["keys", "projects", "usage", "audit"]],
];
const OTHER = "Cloud";

/** Scopes by the product that they open, in the order of the catalogue. */
export function groupScopes(scopes: ScopeFacts[]): ScopeGroup[] {
  const productOf = ({ scope }: ScopeFacts) =>
    PRODUCTS.find(([, nouns]) => nouns.includes(scope.split(":")[0] ?? ""))?.[0] ?? OTHER;
  return [...PRODUCTS.map(([label]) => label), OTHER]
    .map((label) => ({ label, scopes: scopes.filter((one) => productOf(one) === label) }))
    .filter((group) => group.scopes.length > 0);
}

export interface Preset {
  label: string;
  scopes: Scope[];
}

/** Choices that spare ticking: of scopes that an endpoint asks for. */
export const presetsOf = (scopes: ScopeFacts[]): Preset[] => {
  const inUse = scopes.filter(({ in_use }) => in_use).map(({ scope }) => scope);
  return [
    { label: "None", scopes: [] },
    { label: "Read only", scopes: inUse.filter((scope) => scope.endsWith(":read")) },
    { label: "Everything in use", scopes: inUse },
  ];
};

export const isSame = (chosen: ReadonlySet<Scope>, { scopes }: Preset): boolean =>
  chosen.size === scopes.length && scopes.every((scope) => chosen.has(scope));
