import type { CallOutput } from '#contract/endpoint.ts'
import { type getDeskNewsItem, getRevision, getRevisions, type NewsText, restoreRevision } from '#contract/news.ts'
import { useCall } from '#web/api/queries.ts'
import { useAction } from '../../kit/call.ts'
import type { Draft } from '../../kit/draft.tsx'
import { EarlierTexts } from '../../kit/earlier-texts.tsx'
import { Loaded } from '../../kit/screen.tsx'
import styles from './news.module.css'

export type NewsDraft = Draft<NewsText, CallOutput<typeof getDeskNewsItem>>

/** The earlier texts of a news item: each can be read and, by those who may write, become the draft again. */
export function Revisions({ draft, mayWrite }: { draft: NewsDraft; mayWrite: boolean }) {
  const { item, save, version, take } = draft
  const revisions = useCall(getRevisions, { id: item.id })
  const restore = useAction(restoreRevision, {
    done: 'The earlier text is now your draft.',
    onDone: ({ item: restored }) => take(restored, true),
  })
  const use = async (revision: number) => {
    if (await save()) await restore.run({ id: item.id, version: version(), revision })
  }
  return (
    <EarlierTexts
      title="Earlier texts"
      revisions={revisions}
      nameOf={({ subject }) => (subject === '' ? 'Without a subject' : subject)}
      view="View"
      viewOf={({ subject }) => `the text of ${subject}`}
      dialogTitle="Earlier text"
      use={mayWrite ? use : null}
      busy={restore.busy}
      show={(revision) => <RevisionText revision={revision} />}
    />
  )
}

function RevisionText({ revision }: { revision: number }) {
  const found = useCall(getRevision, { revision })
  return (
    <Loaded of={found} height={200}>
      {({ text }) => (
        <div className={styles.revision} data-surface="paper">
          <h3>{text.subject}</h3>
          {/* The server has cleaned it (server/features/news/clean-html.ts). */}
          <div dangerouslySetInnerHTML={{ __html: text.content }} />
        </div>
      )}
    </Loaded>
  )
}
