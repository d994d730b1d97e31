import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './earlier-texts.module.css'
import { When } from './facts.tsx'
import { Loaded, type LoadState } from './screen.tsx'

type Revision = { revision: number; kind: 'published' | 'replaced'; saved_at: string; saved_by: string | null }

type EarlierTextsProps<Row extends Revision> = {
  title: string
  revisions: LoadState<{ rows: Row[] }>
  /** Returns the name of a text, shown above its author. */
  getName?: (row: Row) => string
  /** The label of each row's button. */
  buttonLabel: string
  /** Returns what screen readers read after the button's label, such as 'in version 3'. */
  getButtonContext: (row: Row) => string
  dialogTitle: string
  /** Makes a text the draft again; null if the operator lacks the permission. */
  restore: ((revision: number) => Promise<void>) | null
  busy: boolean
  /** Renders a text in the dialog. */
  renderText: (revision: number) => ReactNode
}

/** Lists the earlier versions of a draft. Each can be opened and restored. */
export function EarlierTexts<Row extends Revision>(props: EarlierTextsProps<Row>) {
  const { title, revisions, getName, buttonLabel, getButtonContext, dialogTitle, restore, busy, renderText } = props
  const [openRevision, setOpenRevision] = useState<number | null>(null)
  const close = () => setOpenRevision(null)
  return (
    <Panel title={title}>
      <Loaded result={revisions} height={80}>
        {({ rows }) => (
          <ul className={styles.rows}>
            {rows.length === 0 && <li>You can read every published or replaced text here.</li>}
            {rows.map((row) => (
              <li key={row.revision}>
                <div>
                  {getName !== undefined && <b>{getName(row)}</b>}
                  <span>
                    {row.kind === 'published' ? 'Published' : 'Replaced'} <When at={row.saved_at} />
                    {row.saved_by === null ? '' : ` · ${row.saved_by}`}
                  </span>
                </div>
                <Button tone="quiet" onClick={() => setOpenRevision(row.revision)}>
                  {buttonLabel}
                  <span className="visually-hidden"> {getButtonContext(row)}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {openRevision !== null && (
        <DialogWindow
          open
          onClose={close}
          title={dialogTitle}
          actions={
            <>
              <Button tone="secondary" onClick={close}>
                Close
              </Button>
              {restore !== null && (
                <Button busy={busy} onClick={() => void restore(openRevision).then(close)}>
                  Use it as the draft
                </Button>
              )}
            </>
          }
        >
          {renderText(openRevision)}
        </DialogWindow>
      )}
    </Panel>
  )
}
