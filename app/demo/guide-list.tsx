import styles from "./guide-list.module.css";
import type { Guide } from "./guides";

const LONGEST_MONTHS = 36;

/** Guides as a ledger: what it is about, and for how long the things were used before a word was written. */
export function GuideList({ guides }: { guides: Guide[] }) {
  return (
    <ul className={styles.guides}>
      {guides.map((guide) => (
        <li key={guide.slug} className={styles.guide}>
          <h3 className={styles.guideTitle}>{guide.title}</h3>
          <p className={styles.guideText}>{guide.standfirst}</p>
          <p className={styles.wear}>
            <svg
              className={styles.meter}
              viewBox={`0 0 ${LONGEST_MONTHS} 2`}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <rect width={guide.monthsInUse} height="2" />
            </svg>
            <span>
              {guide.monthsInUse} months in use, {guide.testers} testers
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
