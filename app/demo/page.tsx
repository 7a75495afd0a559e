import { Suspense } from "react";
import { surfaces } from "../../server/surfaces";
import { redirectToPublicOrigin } from "../redirect-to-public-origin";
import { Article } from "./article";
import styles from "./demo.module.css";
import { GuideList } from "./guide-list";
import { GUIDES } from "./guides";
import { InstallNote } from "./install-note";
import { SearchDesk } from "./search-desk";

export const dynamic = "force-dynamic";

/** A publisher's page as visitors see it, carrying offers of the demo channel. */
export default async function DemoPage() {
  await redirectToPublicOrigin();
  const { demo, publicUrl } = surfaces();
  const browserKey = demo()?.browserKey;
  const hasOffers = browserKey !== undefined;
  return (
    <div className={styles.site}>
      <header className={styles.masthead}>
        <a href="/demo" className={styles.wordmark}>
          Worn In
        </a>
        <p className={styles.motto}>Buying guides written after the warranty</p>
        <nav className={styles.nav} aria-label="Magazine">
          <a href="#guides">Guides</a>
          <a href="#method">How we test</a>
        </nav>
      </header>
      <main className={styles.main}>
        <Suspense>
          <SearchDesk hasOffers={hasOffers} />
        </Suspense>
        <div className={styles.columns}>
          <Article hasOffers={hasOffers} />
          <section id="guides" className={styles.shelf} aria-labelledby="guides-title">
            <h2 id="guides-title" className={styles.sectionTitle}>
              All guides
            </h2>
            <GuideList guides={GUIDES} />
          </section>
        </div>
      </main>
      <footer className={styles.footer}>
        <InstallNote browserKey={browserKey} publicUrl={publicUrl} />
      </footer>
      {browserKey ? <script async src="/widget.js" data-key={browserKey} /> : null}
    </div>
  );
}
