import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { CLASS_GUIDES, classPath, GUIDE_ID } from './classes/class-guides.ts'
import { FIRST_STEPS, IF_YOU } from './first-steps.ts'
import styles from './quick-guide.module.css'

const nameOf = (key: string) => CLASS_GUIDES.find((guide) => guide.key === key)?.name

/** Where the quick guide begins on the page. */
export const QUICK_GUIDE_ID = 'quick-guide'

/** How to start playing: five stops of one route. */
export function QuickGuide() {
  return (
    <div id={QUICK_GUIDE_ID}>
      <Panel title="Quick guide for beginners">
        <ol className={styles.route}>
          {FIRST_STEPS.map((step, index) => (
            <li key={step.title} className={styles.stop}>
              <span className={styles.numeral} aria-hidden="true">
                {index + 1}
              </span>
              <h3 className={styles.title}>{step.title}</h3>
              <p className={styles.text}>{step.text}</p>
              <p className={styles.links}>
                {step.links.map(({ to, label }) =>
                  to.startsWith('#') ? (
                    <a key={to} href={to} className={styles.link}>
                      {label}
                    </a>
                  ) : (
                    <Link key={to} to={to} className={styles.link} prefetch="intent">
                      {label}
                    </Link>
                  ),
                )}
              </p>
            </li>
          ))}
        </ol>
        <div className={styles.wishes}>
          <h3 className={styles.wishHead}>Which class first? If you …</h3>
          <ul className={styles.wishList}>
            {IF_YOU.map(({ wish, keys }) => (
              <li key={wish} className={styles.wish}>
                <span className={styles.wishWords}>… {wish}:</span>
                {keys.map((key) => (
                  <Link key={key} to={`${classPath(key)}#${GUIDE_ID}`} className={styles.link}>
                    {nameOf(key)}
                  </Link>
                ))}
              </li>
            ))}
          </ul>
        </div>
      </Panel>
    </div>
  )
}
