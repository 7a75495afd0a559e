"use client";

import { useSearchParams } from "next/navigation";
import type { FormEvent, MouseEvent } from "react";
import styles from "./demo.module.css";
import { GuideList } from "./guide-list";
import { findGuides, GUIDES } from "./guides";
import { OfferSlot } from "./offer-slot";

/** The search: works as a plain form and plain links; with JavaScript it changes the address and the slot in place. */
export function SearchDesk({ hasOffers }: { hasOffers: boolean }) {
  const query = (useSearchParams().get("q") ?? "").trim();
  const guides = findGuides(query);
  const follow = (event: MouseEvent<HTMLAnchorElement>, suggestion: string): void => {
    // A new tab or window is the browser's business.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    search(suggestion);
  };

  return (
    <section className={styles.desk} aria-labelledby="desk-title">
      <h1 id="desk-title" className={styles.deskTitle}>
        What needs replacing?
      </h1>
      <SearchForm query={query} />
      <ul className={styles.suggestions} aria-label="Searches to try">
        {GUIDES.map((guide) => (
          <li key={guide.slug}>
            <a
              href={`/demo?q=${encodeURIComponent(guide.query)}`}
              className={styles.suggestion}
              aria-current={guide.query === query ? "true" : undefined}
              onClick={(event) => follow(event, guide.query)}
            >
              {guide.query}
            </a>
          </li>
        ))}
      </ul>
      {query === "" ? null : (
        <div className={styles.results}>
          <h2 className={styles.sectionTitle} aria-live="polite">
            {guides.length > 0 ? `Guides for “${query}”` : `No guide for “${query}” yet`}
          </h2>
          {guides.length > 0 ? (
            <GuideList guides={guides} />
          ) : (
            <p className={styles.motto}>We have not worn one out so far.</p>
          )}
          {hasOffers ? <OfferSlot query={query} placement="search_results" limit={3} /> : null}
        </div>
      )}
    </section>
  );
}

function SearchForm({ query }: { query: string }) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    search(String(new FormData(event.currentTarget).get("q") ?? ""));
  };
  return (
    <form className={styles.form} action="/demo" method="get" onSubmit={submit}>
      <search className={styles.searchLine}>
        <label htmlFor="q" className={styles.hush}>
          Search the guides
        </label>
        <input
          key={query}
          id="q"
          name="q"
          type="search"
          maxLength={200}
          defaultValue={query}
          placeholder="trail running shoes"
          className={styles.input}
        />
        <button type="submit" className={styles.button}>
          Search
        </button>
      </search>
    </form>
  );
}

/** Next follows the history API, so `useSearchParams` gives the new search at once, and the back button works. */
function search(query: string): void {
  window.history.pushState(null, "", `/demo?${new URLSearchParams({ q: query.trim() })}`);
}
