import { useState } from 'react'
import { CLASS_GUIDES } from '#content/classes.ts'
import { FIRST_STEPS, IF_YOU } from '#content/first-steps.ts'
import { usePageSearch } from '#web/api/page.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './characters-page.module.css'
import { ClassGuideSection, GUIDE_ID } from './class-guide.tsx'
import { classPath, namedClass } from './classes.ts'

const QUICK_GUIDE_ID = 'quick-guide'

const NAMED_CLASS = { names: ['class'], read: namedClass }

/**
 * The quick guide for beginners and the class guide (ROUTE-1, GUIDE-1). An address that names a class puts the class
 * guide first; opening a tab later does not change the order.
 */
export default function CharactersPage() {
  const named = usePageSearch(NAMED_CLASS)
  const [classFirst] = useState(named !== null)
  return (
    <>
      <PageHead
        crumb="Character"
        title="Character"
        lines={['How to start playing in five steps,', 'and what each class is like at two in the morning.']}
        actions={
          <a href={classFirst ? `#${QUICK_GUIDE_ID}` : `#${GUIDE_ID}`} className={styles.link}>
            {classFirst ? 'To the quick guide for beginners' : 'To the class guide'}
          </a>
        }
      />
      {!classFirst && <QuickGuide />}
      <ClassGuideSection />
      {classFirst && <QuickGuide />}
    </>
  )
}

/** How to start playing: five stops of one route. */
function QuickGuide() {
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
                    <Link key={to} to={to} className={styles.link}>
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
                    {CLASS_GUIDES.find((guide) => guide.key === key)?.name}
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
