import { tag } from "./settings";

const STORED = "svc_id";
const LIFE_MS = 90 * 24 * 60 * 60 * 1_000;
/** An offer that comes later than this is no longer wanted; the reader may take minutes to choose. */
const WAIT_MS = 500;

/** What a consent platform answers: the fields of TCF v2 and those of GPP. */
interface Answer {
  eventStatus?: string;
  gdprApplies?: boolean;
  tcString?: string;
  purpose?: { consents?: Record<number, boolean> };
  signalStatus?: string;
  gppString?: string;
  applicableSections?: number[];
  parsedSections?: unknown;
}

type Listen = (event: (Answer & { pingData?: Answer }) | null) => void;

declare global {
  interface Window {
    __tcfapi?: (command: string, ...rest: unknown[]) => void;
    __gpp?: (command: string, ...rest: unknown[]) => void;
  }
  interface Navigator {
    globalPrivacyControl?: boolean;
  }
}

/** What goes with a request for the reader's sake. */
export interface ReaderFields {
  /** As the server's schema wants it; absent without a consent platform. */
  consent: { tcf: string | undefined; gpp: string | undefined; gpp_sid: number[] | undefined } | undefined;
  user_id: string | undefined;
}

const heard: { __tcfapi?: Answer; __gpp?: Answer } = {};
let forgotten = false;

/**
 * Listens to the page's consent platforms, TCF v2 and GPP, and resolves when they have answered for good, but half a
 * second from now at the latest.
 */
export function hearConsent(): Promise<unknown> {
  return Promise.race([
    Promise.all([listen("__tcfapi", 2), listen("__gpp")]),
    new Promise((done) => setTimeout(done, WAIT_MS)),
  ]);
}

function listen(name: "__tcfapi" | "__gpp", ...version: number[]): Promise<void> | undefined {
  const platform = window[name];
  if (!platform || heard[name]) return undefined;
  return new Promise((done) => {
    heard[name] = {};
    const hear: Listen = (event) => {
      const answer = event?.pingData || event || {};
      heard[name] = answer;
      if (isFinal(answer)) done();
    };
    platform("addEventListener", ...version, hear);
  });
}

function isFinal({ signalStatus, eventStatus }: Answer): boolean {
  // "ready", "tcloaded" and "useractioncomplete"; not "not ready" and "cmpuishown".
  return /^(re|tc|us)/.test((signalStatus || eventStatus) as string);
}

/**
 * The consent strings go to the server, which decides by them. A `user_id` goes along only without Global Privacy
 * Control and when every platform has answered, and an id of our own is kept only when none of them refuses: TCF has to
 * allow storage (purpose 1), GPP must hold no opt-out.
 */
export function readerFields(passed = tag.userId): ReaderFields {
  const { __tcfapi, __gpp: gpp } = heard;
  const tcf = __tcfapi?.gdprApplies === false ? undefined : __tcfapi;
  const isOpen = navigator.globalPrivacyControl || [tcf, gpp].some((answer) => answer && !isFinal(answer));
  // European sections of GPP are not read here: TCF itself has to allow.
  const isRefused =
    (tcf && !tcf.purpose?.consents?.[1]) || /OptOut(Sale)?":(1|"Y)|Gpc":true|"tcf/.test(JSON.stringify(gpp) || "");
  const own = "personalize" in tag && ownId(!isOpen && !isRefused);
  return {
    consent: (tcf || gpp) && { tcf: tcf?.tcString, gpp: gpp?.gppString, gpp_sid: gpp?.applicableSections },
    user_id: isOpen ? undefined : passed || own || undefined,
  };
}

/** Drops what is kept about the reader in this browser. */
export function forgetReader(): void {
  forgotten = true;
  ownId(false);
}

/** A random id of this site alone, made when it is missing or older than 90 days; without `allowed` it is dropped. */
function ownId(allowed: boolean): string | undefined {
  try {
    if (!allowed || forgotten) {
      delete localStorage[STORED];
      return undefined;
    }
    const [id, until] = `${localStorage[STORED]}`.split(" ");
    if (Number(until) > Date.now()) return id;
    const fresh = crypto.randomUUID();
    localStorage[STORED] = `${fresh} ${Date.now() + LIFE_MS}`;
    return fresh;
  } catch {
    // Without storage, or on a page without https, nobody is remembered.
    return undefined;
  }
}
