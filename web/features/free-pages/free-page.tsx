import { useParams } from 'react-router'
import { useFreePage } from '#web/api/documents.ts'
import { getLines, UnwrittenPage } from '#web/shell/document-page.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import article from '#web/ui/article.module.css'
import { HtmlText } from '#web/ui/html-text.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import styles from './free-page.module.css'

/** A page that operators have added (PAGE-6). */
export default function FreePage() {
  const page = useFreePage(useParams().name ?? '')
  if (!page) return <UnwrittenPage title="Page" isMissing={page === null} />
  return (
    <>
      <PageHead crumb={page.title} title={page.title} lines={getLines(page.lines)} />
      <Panel>
        <div className={styles.page}>
          {page.picture !== null && <img className={layout.fluid} src={page.picture} alt="" width="840" height="280" />}
          <HtmlText className={`${text.written} ${article.content} ${text.yellowLinks}`} html={page.text} />
        </div>
      </Panel>
    </>
  )
}
