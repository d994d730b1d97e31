import { useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { type getDeskNewsItem, getRevision, getRevisions, type NewsText, restoreRevision } from '#contract/news.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useAction } from '../../kit/call.ts'
import type { Draft } from '../../kit/draft.tsx'
import { When } from '../../kit/facts.tsx'
import { Loaded } from '../../kit/screen.tsx'
import styles from './news.module.css'

export type NewsDraft = Draft<NewsText, CallOutput<typeof getDeskNewsItem>>

const KINDS = { published: 'published', replaced: 'set aside' }

/** The earlier texts of a news item: each can be read and, by those who may write, become the draft again. */
export function Revisions({ draft, mayWrite }: { draft: NewsDraft; mayWrite: boolean }) {
  const { item, save, version, take } = draft
  const revisions = useCall(getRevisions, { id: item.id })
  const [shown, setShown] = useState<number | null>(null)
  const restore = useAction(restoreRevision, {
    done: 'The earlier text is now your draft.',
    onDone: ({ item: restored }) => take(restored, true),
  })
  return (
    <Panel title="Earlier texts">
      <Loaded of={revisions} height={80}>
        {({ rows }) => (
          <ul className={styles.revisions}>
            {rows.length === 0 && <li>Every text that is published or replaced is kept here.</li>}
            {rows.map(({ revision, kind, subject, saved_at, saved_by }) => (
              <li key={revision}>
                <div>
                  <b>{subject === '' ? 'Without a subject' : subject}</b>
                  <span>
                    {KINDS[kind]} <When at={saved_at} />
                    {saved_by !== null && <> · {saved_by}</>}
                  </span>
                </div>
                <Button tone="quiet" onClick={() => setShown(revision)}>
                  View<span className="visually-hidden"> the text of {subject}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {shown !== null && (
        <DialogWindow
          open
          onClose={() => setShown(null)}
          title="Earlier text"
          actions={
            <>
              <Button tone="secondary" onClick={() => setShown(null)}>
                Close
              </Button>
              {mayWrite && (
                <Button
                  busy={restore.busy}
                  onClick={() =>
                    void save().then(async (isSaved) => {
                      if (isSaved) await restore.run({ id: item.id, version: version(), revision: shown })
                      setShown(null)
                    })
                  }
                >
                  Use it as the draft
                </Button>
              )}
            </>
          }
        >
          <RevisionText revision={shown} />
        </DialogWindow>
      )}
    </Panel>
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
