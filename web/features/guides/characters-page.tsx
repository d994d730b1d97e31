import { useState } from 'react'
import type { DocumentContent } from '#contract/documents.ts'
import { useDocument } from '#web/api/documents.ts'
import { usePageSearch } from '#web/api/page.ts'
import { getLines, UnwrittenPage } from '#web/shell/document-page.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { FoldedText } from '#web/ui/folded.tsx'
import { HtmlText } from '#web/ui/html-text.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import styles from './characters-page.module.css'
import { ClassGuideSection, GUIDE_ID } from './class-guide.tsx'
import { getClassName, getClassPath, readNamedClass } from './classes.ts'

const QUICK_GUIDE_ID = 'quick-guide'

const NAMED_CLASS_SEARCH = { names: ['class'], read: readNamedClass }

/**
 * The page with the quick guide for beginners and the class guide (ROUTE-1, GUIDE-1). An address that names a class
 * shows the class guide first. Opening a tab later does not change the order.
 */
export default function CharactersPage() {
  const namedClass = usePageSearch(NAMED_CLASS_SEARCH)
  const [isClassFirst] = useState(namedClass !== null)
  const classes = useDocument('classes')
  const steps = useDocument('first-steps')
  if (!classes && !steps) return <UnwrittenPage title="Character" isMissing={classes === null && steps === null} />
  const quickGuide = steps && <QuickGuide {...steps} eighthName={classes?.eighth_name ?? ''} />
  return (
    <>
      <PageHead
        crumb="Character"
        title="Character"
        lines={getLines(classes?.lines ?? [])}
        actions={
          classes &&
          steps && (
            <a href={isClassFirst ? `#${QUICK_GUIDE_ID}` : `#${GUIDE_ID}`} className={styles.link}>
              {isClassFirst ? 'To the quick guide for beginners' : 'To the class guide'}
            </a>
          )
        }
      />
      {!isClassFirst && quickGuide}
      {classes && <ClassGuideSection guide={classes} />}
      {isClassFirst && quickGuide}
    </>
  )
}

type QuickGuideProps = DocumentContent<'first-steps'> & { eighthName: string }

/** The first steps of a player, as stops of a route. */
function QuickGuide({ steps, wishes, eighthName }: QuickGuideProps) {
  return (
    <div id={QUICK_GUIDE_ID}>
      <Panel title="Quick guide for beginners">
        <FoldedText title="the quick guide" isLong>
          <ol className={styles.route}>
            {steps.map((step, index) => (
              <li key={step.title} className={styles.stop}>
                <span className={styles.numeral} aria-hidden="true">
                  {index + 1}
                </span>
                <h3 className={styles.title}>{step.title}</h3>
                <HtmlText className={styles.text} html={step.text} />
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
          {wishes.length > 0 && (
            <div className={styles.wishes}>
              <h3 className={text.size20Loose}>Which class first? If you …</h3>
              <ul className={styles.wishList}>
                {wishes.map(({ wish, first, second }) => (
                  <li key={wish} className={styles.wish}>
                    <span className={styles.wishText}>… {wish}:</span>
                    {[first, second].map(
                      (key) =>
                        key !== '' && (
                          <Link key={key} to={`${getClassPath(key)}#${GUIDE_ID}`} className={styles.link}>
                            {getClassName(key, eighthName)}
                          </Link>
                        ),
                    )}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </FoldedText>
      </Panel>
    </div>
  )
}
