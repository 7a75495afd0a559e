import styles from "./demo.module.css";
import { OfferSlot } from "./offer-slot";

/** The story of the week, with one slot between its paragraphs. */
export function Article({ hasOffers }: { hasOffers: boolean }) {
  return (
    <article className={styles.article} aria-labelledby="article-title">
      <p className={styles.kicker}>This week</p>
      <h2 id="article-title" className={styles.articleTitle}>
        Nine headphones, two batteries each
      </h2>
      <p className={styles.byline}>
        By Ines Okafor and the repair bench, <time dateTime="2026-11-14">14 November 2026</time>
      </p>
      <p className={styles.lead}>
        Every pair on our shelf sounded good in its first month. By month thirty the question was a different one: which
        of them could still be opened.
      </p>
      <p>
        We wore all nine on trains, at desks and under rain hoods, charged them every night, and waited. The first
        battery gave up after 22 months. Three more followed before the second summer. Ear pads went sooner, and they
        went the same way everywhere: a hairline crack at the seam, then flakes on your collar.
      </p>
      {hasOffers ? <OfferSlot query="noise cancelling headphones" placement="article_inline" limit={1} /> : null}
      <p>
        Pads are a five-minute job on seven of the nine. Batteries are not. Two makers use screws and sell the part; we
        had both running again before the kettle boiled. Four use glue that a hair dryer softens. On the last three we
        broke a clip each time, and we have done this before.
      </p>
      <h3 id="method" className={styles.articleSubtitle}>
        How we test
      </h3>
      <p>
        We buy what we test, use it for at least a year, and keep a ledger of everything that fails. Offers on these
        pages are labelled and chosen by the words on the page. They have no say in what we write.
      </p>
    </article>
  );
}
