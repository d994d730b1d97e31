import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './earlier-texts.module.css'
import { When } from './facts.tsx'
import { Loaded, type Loading } from './screen.tsx'

type Revision = { revision: number; kind: 'published' | 'replaced'; saved_at: string; saved_by: string | null }

type EarlierTextsProps<Row extends Revision> = {
  title: string
  revisions: Loading<{ rows: Row[] }>
  /** Returns the name of a text, shown above its author. */
  getName?: (row: Row) => string
  /** The label of each row's button. Screen readers also get the row's name. */
  view: string
  getView: (row: Row) => string
  dialogTitle: string
  /** Makes a text the draft again; null if the operator may not. */
  use: ((revision: number) => Promise<void>) | null
  busy: boolean
  /** Renders a text in the dialog. */
  show: (revision: number) => ReactNode
}

/** Lists the earlier versions of a draft. Each can be opened and restored. */
export function EarlierTexts<Row extends Revision>(props: EarlierTextsProps<Row>) {
  const { title, revisions, getName, view, getView, dialogTitle, use, busy, show } = props
  const [shown, setShown] = useState<number | null>(null)
  const close = () => setShown(null)
  return (
    <Panel title={title}>
      <Loaded of={revisions} height={80}>
        {({ rows }) => (
          <ul className={styles.rows}>
            {rows.length === 0 && <li>Every text that is published or replaced can be read here.</li>}
            {rows.map((row) => (
              <li key={row.revision}>
                <div>
                  {getName !== undefined && <b>{getName(row)}</b>}
                  <span>
                    {row.kind === 'published' ? 'Published' : 'Set aside'} <When at={row.saved_at} />
                    {row.saved_by === null ? '' : ` · ${row.saved_by}`}
                  </span>
                </div>
                <Button tone="quiet" onClick={() => setShown(row.revision)}>
                  {view}
                  <span className="visually-hidden"> {getView(row)}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {shown !== null && (
        <DialogWindow
          open
          onClose={close}
          title={dialogTitle}
          actions={
            <>
              <Button tone="secondary" onClick={close}>
                Close
              </Button>
              {use !== null && (
                <Button busy={busy} onClick={() => void use(shown).then(close)}>
                  Use it as the draft
                </Button>
              )}
            </>
          }
        >
          {show(shown)}
        </DialogWindow>
      )}
    </Panel>
  )
}
