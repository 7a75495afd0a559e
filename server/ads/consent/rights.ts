/** What may be remembered about a visitor. */
export interface Rights {
  /** How often campaigns were seen: frequency caps. */
  caps: boolean;
  /** What the visitor showed interest in, and which offers were seen or clicked for attribution. */
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
 * Rights from what is allowed for TCF purposes: capping is part of selecting basic ads (purpose 2, consent or legitimate
 * interest), signals make and use a profile (3 and 4, consent only); both store something (1, consent only).
 */
export function rightsOfPurposes(allows: (purpose: number, basis: "consent" | "either") => boolean): Rights {
  const stores = allows(STORE, "consent");
  return {
    caps: stores && allows(SELECT_BASIC_ADS, "either"),
    signals: stores && allows(CREATE_PROFILES, "consent") && allows(USE_PROFILES, "consent"),
  };
}
