"use client";

import * as AlertDialog from "@radix-ui/react-alert-dialog";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { ConfirmContent } from "../ui/confirm";
import { type LeaveQuestion, type Unsaved, UnsavedContext } from "../ui/unsaved-context";

const DISCARD: LeaveQuestion = {
  title: "Discard unsaved changes?",
  consequence: "What you have entered here is not saved.",
  stay: "Keep editing",
  leave: "Discard changes",
};

interface Watched {
  isUnsaved: () => boolean;
  question: LeaveQuestion;
}

/** Asks before a link, the browser's Back button, a reload or a closed tab loses the unsaved input of a watched form. */
export function UnsavedProvider({ children }: { children: ReactNode }) {
  const [all] = useState(() => new Map<HTMLElement, Watched>());
  const [asked, setAsked] = useState<LeaveQuestion & { go: () => void }>();
  const unsaved = useMemo(() => {
    const firstUnsaved = (within: Element | null) =>
      [...all].find(([element, { isUnsaved }]) => (!within || within.contains(element)) && isUnsaved())?.[1];
    return {
      hasUnsaved: (within: Element | null) => firstUnsaved(within) !== undefined,
      watch: (element: HTMLElement, isUnsaved: () => boolean, question = DISCARD) => {
        all.set(element, { isUnsaved, question });
        return () => void all.delete(element);
      },
      leave: (go: () => void, within: Element | null = null) => {
        const first = firstUnsaved(within);
        if (first) setAsked({ ...first.question, go });
        else go();
      },
    };
  }, [all]);
  useLinks(unsaved);
  useBack(unsaved);
  useUnload(unsaved);
  return (
    <UnsavedContext value={unsaved}>
      {children}
      <AlertDialog.Root open={asked !== undefined} onOpenChange={() => setAsked(undefined)}>
        <ConfirmContent
          title={asked?.title ?? ""}
          consequence={asked?.consequence}
          cancel={asked?.stay ?? "Cancel"}
          action={asked?.leave ?? ""}
          onConfirm={() => {
            setAsked(undefined);
            asked?.go();
          }}
        />
      </AlertDialog.Root>
    </UnsavedContext>
  );
}

interface Guard extends Unsaved {
  hasUnsaved: (within: Element | null) => boolean;
}

/** Links are caught before Next.js follows them; a confirmed one is clicked again, so that all its handlers run. */
function useLinks({ hasUnsaved, leave }: Guard): void {
  const router = useRouter();
  useEffect(() => {
    let confirmed: HTMLAnchorElement | undefined;
    const follow = (link: HTMLAnchorElement) => {
      // The link of a menu that has closed meanwhile has no handlers left.
      if (!link.isConnected) return router.push(link.href);
      confirmed = link;
      link.click();
      confirmed = undefined;
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || link === confirmed || !leavesPage(link, event) || !hasUnsaved(null)) return;
      event.preventDefault();
      event.stopPropagation();
      leave(() => follow(link));
    };
    document.addEventListener("click", onClick, true);
    return () => document.removeEventListener("click", onClick, true);
  }, [router, hasUnsaved, leave]);
}

function leavesPage(link: HTMLAnchorElement, { button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return false;
  if (link.href === "" || link.hasAttribute("download") || (link.target !== "" && link.target !== "_self"))
    return false;
  return !isThisPage(link.href);
}

const isThisPage = (href: string): boolean => {
  const { origin, pathname } = new URL(href);
  return origin === window.location.origin && pathname === window.location.pathname;
};

/** A browser without the Navigation API goes back without a question. */
function useBack({ hasUnsaved, leave }: Guard): void {
  useEffect(() => {
    const { navigation } = window;
    if (!navigation) return undefined;
    let confirmed: string | undefined;
    const onNavigate = (event: NavigateEvent) => {
      const { key, url } = event.destination;
      const isAsked = event.navigationType === "traverse" && event.cancelable && key !== confirmed;
      confirmed = undefined;
      if (!isAsked || !url || isThisPage(url) || !hasUnsaved(null)) return;
      event.preventDefault();
      leave(() => {
        confirmed = key;
        navigation.traverseTo(key);
      });
    };
    navigation.addEventListener("navigate", onNavigate);
    return () => navigation.removeEventListener("navigate", onNavigate);
  }, [hasUnsaved, leave]);
}

/** Reloads, closed tabs and other sites: the browser asks in its own words. */
function useUnload({ hasUnsaved }: Guard): void {
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (hasUnsaved(null)) event.preventDefault();
    };
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [hasUnsaved]);
}
