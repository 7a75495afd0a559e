/** What may be stored about a visitor. */
export interface Rights {
  /** How often the visitor saw campaigns, for frequency caps. */
  caps: boolean;
  /** The visitor's interests, and the offers that were seen or clicked, for attribution. */
  signals: boolean;
}

export const ALL: Rights = { caps: true, signals: true };
export const NONE: Rights = { caps: false, signals: false };

export const bothOf = (a: Rights, b: Rights): Rights => ({
  caps: a.caps && b.caps,
  signals: a.signals && b.signals,
});

/** Purposes of the IAB Transparency and Consent Framework. */
const STORE = 1;
const SELECT_BASIC_ADS = 2;
const CREATE_PROFILES = 3;
const USE_PROFILES = 4;

/**
 * Derives rights from TCF purposes. Caps are part of selecting basic ads (purpose 2, consent or legitimate interest),
 * and signals create and use a profile (3 and 4, consent only). Both require storage (1, consent only).
 */
export function rightsOfPurposes(allows: (purpose: number, basis: "consent" | "either") => boolean): Rights {
  const stores = allows(STORE, "consent");
  return {
    caps: stores && allows(SELECT_BASIC_ADS, "either"),
    signals: stores && allows(CREATE_PROFILES, "consent") && allows(USE_PROFILES, "consent"),
  };
}
