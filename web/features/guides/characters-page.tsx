import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { PageHead } from '#web/shell/page-head.tsx'
import { ClassGuideSection } from './class-guide.tsx'
import { GUIDE_ID, namedClass } from './classes/class-guides.ts'
import styles from './quick-guide.module.css'
import { QUICK_GUIDE_ID, QuickGuide } from './quick-guide.tsx'

/**
 * The quick guide for beginners and the class guide (SPEC §2.1, §2.10). Whoever comes by the address of a class sees
 * that class first; opening a tab later moves nothing.
 */
export default function CharactersPage() {
  const [query] = useSearchParams()
  const [classFirst] = useState(() => namedClass(query) !== null)
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
