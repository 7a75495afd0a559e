"use client";

import { type CSSProperties, type ReactElement, type RefObject, useLayoutEffect, useRef } from "react";
import type { Signal } from "../offers-wire";
import { type SlotRequest, svc, type WidgetEvents } from "../widget-commands";

/** Handlers of the slot's events; details as in `WidgetEvents`. */
export interface OffersHandlers {
  onRendered?: ((detail: WidgetEvents["rendered"]) => void) | undefined;
  /** Nothing matched; the slot keeps its height while it is in view. */
  onEmpty?: ((detail: WidgetEvents["empty"]) => void) | undefined;
  onImpression?: ((detail: WidgetEvents["impression"]) => void) | undefined;
  onClick?: ((detail: WidgetEvents["click"]) => void) | undefined;
  onError?: ((detail: WidgetEvents["error"]) => void) | undefined;
}

export interface OffersProps extends OffersHandlers {
  /** What the reader wants; by default the widget infers it from the page's URL. */
  query?: string | undefined;
  /** What the page is about; by default the widget infers it from title and headings. */
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
  /** The widget's script: `https://svc.example/widget.js`, or a pinned version. Omit it if the page has its own script tag. */
  src?: string | undefined;
  /** The channel's browser key (`svc_pub_…`); used with `src`. */
  channelKey?: string | undefined;
  /** The API's origin if the script is served from another host; used with `src`. */
  api?: string | undefined;
  nonce?: string | undefined;
  /** The hash of a pinned version, from `/widget.json`. */
  integrity?: string | undefined;
}

/**
 * A slot of offers, for React 19. The server renders an empty element and the script tag; the widget fills it, even before hydration when attributes describe the whole request. It requests new offers when a prop changes, and stops when the component unmounts. One script serves all components of a page.
 */
export function Offers(props: OffersProps): ReactElement {
  const { query, context, placement, limit, layout, theme, id, className, style } = props;
  const { src, channelKey, api, nonce, integrity } = props;
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
          data-api={api}
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
        // Without this attribute the widget waits for React, so that no event fires before its handler exists.
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

/** The fields that have no attribute. */
const scriptFields = ({ userId, sessionId, locale, device, geo, signals }: OffersProps) => ({
  user_id: userId,
  session_id: sessionId,
  locale,
  device,
  geo,
  signals,
});

/** Each event of the widget, and its handler. */
const HANDLERS: readonly [keyof WidgetEvents, keyof OffersHandlers][] = [
  ["rendered", "onRendered"],
  ["empty", "onEmpty"],
  ["impression", "onImpression"],
  ["click", "onClick"],
  ["error", "onError"],
];

const hasHandlers = (props: OffersHandlers): boolean => HANDLERS.some(([, name]) => props[name]);

/**
 * Passes the fields to the widget, which observes attributes itself. "render" requests offers only when something differs, so neither StrictMode's second run nor a filled slot creates unused offers.
 */
function useSlot(slot: RefObject<HTMLDivElement | null>, fields: string): void {
  useLayoutEffect(() => {
    if (slot.current) svc("render", slot.current, JSON.parse(fields) as SlotRequest);
  }, [slot, fields]);
  useLayoutEffect(() => {
    const element = slot.current;
    return () => {
      // StrictMode and <Activity> clean up effects but keep the element.
      queueMicrotask(() => {
        if (element && !element.isConnected) svc("destroy", element);
      });
    };
  }, [slot]);
}

/** Subscribes once, and calls the handler of the latest render. */
function useHandlers(slot: RefObject<HTMLDivElement | null>, handlers: OffersHandlers): void {
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  useLayoutEffect(() => {
    const controller = new AbortController();
    for (const [type, name] of HANDLERS) {
      const onEvent = (event: Event): void => {
        const handler = latest.current[name] as ((detail: unknown) => void) | undefined;
        handler?.((event as CustomEvent<unknown>).detail);
      };
      slot.current?.addEventListener(`svc:${type}`, onEvent, { signal: controller.signal });
    }
    return () => controller.abort();
  }, [slot]);
}
