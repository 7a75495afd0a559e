"use client";

import { type CSSProperties, type ReactElement, type RefObject, useLayoutEffect, useRef } from "react";
import type { Signal } from "../offers-wire";
import { type SlotRequest, svc, type WidgetEvents } from "../widget-commands";

/** Handlers of what the slot tells; details as in `WidgetEvents`. */
export interface OffersHandlers {
  onRendered?: ((detail: WidgetEvents["rendered"]) => void) | undefined;
  /** Nothing matched; the slot keeps its height while a reader sees it. */
  onEmpty?: ((detail: WidgetEvents["empty"]) => void) | undefined;
  onImpression?: ((detail: WidgetEvents["impression"]) => void) | undefined;
  onClick?: ((detail: WidgetEvents["click"]) => void) | undefined;
  onError?: ((detail: WidgetEvents["error"]) => void) | undefined;
}

export interface OffersProps extends OffersHandlers {
  /** What the reader wants; left out, the widget infers it from the page's address. */
  query?: string | undefined;
  /** What the page is about; left out, the widget infers it from title and headings. */
  context?: string | undefined;
  placement?: string | undefined;
  /** 1 to 8, default 1. */
  limit?: number | undefined;
  layout?: "card" | "list" | "inline" | "banner" | undefined;
  theme?: "auto" | "light" | "dark" | undefined;
  /** A keyed hash of the reader, never personal data; sent only where the reader's consent allows. */
  userId?: string | undefined;
  sessionId?: string | undefined;
  locale?: string | undefined;
  device?: "desktop" | "mobile" | "tablet" | undefined;
  geo?: string | undefined;
  signals?: Signal[] | undefined;
  id?: string | undefined;
  className?: string | undefined;
  style?: CSSProperties | undefined;
  /** The widget's script: `https://svc.example/widget.js`, or one version of it. Left out, the page's own tag serves. */
  src?: string | undefined;
  /** The channel's browser key (`svc_pub_…`); goes with `src`. */
  channelKey?: string | undefined;
  nonce?: string | undefined;
  /** The hash of one version, as `/widget.json` names it. */
  integrity?: string | undefined;
}

/**
 * A slot of offers, for React 19. The server renders an empty element and the script's tag; the widget fills it, before
 * React has hydrated where attributes alone say what to ask for. It asks again when a prop changes, and stops with the
 * component. One script serves all components of a page.
 */
export function Offers(props: OffersProps): ReactElement {
  const { query, context, placement, limit, layout, theme, id, className, style } = props;
  const { src, channelKey, nonce, integrity } = props;
  const slot = useRef<HTMLDivElement>(null);
  const fields = JSON.stringify(scriptFields(props));
  useHandlers(slot, props);
  useSlot(slot, fields);
  return (
    <>
      {src ? (
        <script
          async
          src={src}
          data-key={channelKey}
          nonce={nonce}
          integrity={integrity}
          crossOrigin={integrity ? "anonymous" : undefined}
        />
      ) : null}
      <div
        ref={slot}
        id={id}
        className={className}
        style={style}
        // Without the mark the widget waits for React, so that no event comes before its handler.
        data-svc-offers={fields === "{}" && !hasHandlers(props) ? "" : undefined}
        data-query={query}
        data-context={context}
        data-placement={placement}
        data-limit={limit}
        data-layout={layout}
        data-theme={theme}
      />
    </>
  );
}

/** What no attribute can say. */
const scriptFields = ({ userId, sessionId, locale, device, geo, signals }: OffersProps) => ({
  user_id: userId,
  session_id: sessionId,
  locale,
  device,
  geo,
  signals,
});

/** Each event of the widget, and the handler that hears it. */
const HANDLERS: readonly [keyof WidgetEvents, keyof OffersHandlers][] = [
  ["rendered", "onRendered"],
  ["empty", "onEmpty"],
  ["impression", "onImpression"],
  ["click", "onClick"],
  ["error", "onError"],
];

const hasHandlers = (props: OffersHandlers): boolean => HANDLERS.some(([, name]) => props[name]);

/**
 * Tells the widget the fields; changed attributes it notices by itself. "render" asks anew only when something differs,
 * so neither StrictMode's second run nor a slot that is already filled mints offers for nobody.
 */
function useSlot(slot: RefObject<HTMLDivElement | null>, fields: string): void {
  useLayoutEffect(() => {
    if (slot.current) svc("render", slot.current, JSON.parse(fields) as SlotRequest);
  }, [slot, fields]);
  useLayoutEffect(() => {
    const element = slot.current;
    return () => {
      // StrictMode and <Activity> take effects down and leave the element where it is.
      queueMicrotask(() => {
        if (element && !element.isConnected) svc("destroy", element);
      });
    };
  }, [slot]);
}

/** Listens once, and calls whatever handler the last render had. */
function useHandlers(slot: RefObject<HTMLDivElement | null>, handlers: OffersHandlers): void {
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  useLayoutEffect(() => {
    const listening = new AbortController();
    for (const [event, name] of HANDLERS) {
      const hear = (told: Event): void => {
        const handler = latest.current[name] as ((detail: unknown) => void) | undefined;
        handler?.((told as CustomEvent<unknown>).detail);
      };
      slot.current?.addEventListener(`svc:${event}`, hear, { signal: listening.signal });
    }
    return () => listening.abort();
  }, [slot]);
}
