import { tag } from "./settings";

const STORED = "svc_id";
const LIFE_MS = 90 * 24 * 60 * 60 * 1_000;
/** The longest wait for consent before offers are requested; the reader may take minutes to choose. */
const WAIT_MS = 500;

/** Data from a consent platform: the fields of TCF v2 and of GPP. */
interface ConsentData {
  eventStatus?: string;
  gdprApplies?: boolean;
  tcString?: string;
  purpose?: { consents?: Record<number, boolean> };
  signalStatus?: string;
  gppString?: string;
  applicableSections?: number[];
  parsedSections?: unknown;
}

type ConsentListener = (event: (ConsentData & { pingData?: ConsentData }) | null) => void;

declare global {
  interface Window {
    __tcfapi?: (command: string, ...rest: unknown[]) => void;
    __gpp?: (command: string, ...rest: unknown[]) => void;
  }
  interface Navigator {
    globalPrivacyControl?: boolean;
  }
}

/** The request fields about the reader. */
export interface ReaderFields {
  /** In the server's format; absent without a consent platform. */
  consent: { tcf: string | undefined; gpp: string | undefined; gpp_sid: number[] | undefined } | undefined;
  user_id: string | undefined;
}

const consentData: { __tcfapi?: ConsentData; __gpp?: ConsentData } = {};
let forgotten = false;

/**
 * Subscribes to the page's consent platforms, TCF v2 and GPP, and resolves when both have final data, or after half a second.
 */
export function waitForConsent(): Promise<unknown> {
  return Promise.race([
    Promise.all([listen("__tcfapi", 2), listen("__gpp")]),
    new Promise((done) => setTimeout(done, WAIT_MS)),
  ]);
}

function listen(name: "__tcfapi" | "__gpp", ...version: number[]): Promise<void> | undefined {
  const platform = window[name];
  if (!platform || consentData[name]) return undefined;
  return new Promise((done) => {
    consentData[name] = {};
    const onEvent: ConsentListener = (event) => {
      const data = event?.pingData || event || {};
      consentData[name] = data;
      if (isFinal(data)) done();
    };
    platform("addEventListener", ...version, onEvent);
  });
}

function isFinal({ signalStatus, eventStatus }: ConsentData): boolean {
  // "ready", "tcloaded" and "useractioncomplete"; not "not ready" and "cmpuishown".
  return /^(re|tc|us)/.test((signalStatus || eventStatus) as string);
}

/**
 * The consent strings go to the server, which applies them. A `user_id` is sent only without Global Privacy Control and after every platform has final data. The widget's own ID is stored only if TCF allows storage (purpose 1) and GPP contains no opt-out.
 */
export function readerFields(passed = tag.userId): ReaderFields {
  const { __tcfapi, __gpp: gpp } = consentData;
  const tcf = __tcfapi?.gdprApplies === false ? undefined : __tcfapi;
  const isOpen = navigator.globalPrivacyControl || [tcf, gpp].some((data) => data && !isFinal(data));
  // A string of TCF 2.3 lists disclosed vendors. European sections of GPP are not parsed here: TCF itself must allow storage.
  const isRefused =
    (tcf && !(tcf.purpose?.consents?.[1] && /\.I/.test(tcf.tcString as string))) ||
    /OptOut(Sale)?":(1|"Y)|Gpc":t|"tcf/.test(JSON.stringify(gpp));
  const own = "personalize" in tag ? ownId(!(isOpen || isRefused)) : undefined;
  return {
    consent: (tcf || gpp) && { tcf: tcf?.tcString, gpp: gpp?.gppString, gpp_sid: gpp?.applicableSections },
    user_id: isOpen ? undefined : passed || own,
  };
}

/** Deletes what is stored about the reader in this browser. */
export function forgetReader(): void {
  forgotten = true;
  ownId(false);
}

/** A random ID for this site only, created when missing or older than 90 days; deleted unless `allowed`. */
function ownId(allowed: boolean): string | undefined {
  try {
    if (!allowed || forgotten) {
      delete localStorage[STORED];
      return undefined;
    }
    const [id, until] = `${localStorage[STORED]}`.split(" ");
    if (+(until as string) > Date.now()) return id;
    const fresh = crypto.randomUUID();
    localStorage[STORED] = `${fresh} ${Date.now() + LIFE_MS}`;
    return fresh;
  } catch {
    // Without storage or https there is no ID.
    return undefined;
  }
}
