import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './earlier-versions.module.css'
import { When } from './facts.tsx'
import { Loaded, type LoadState } from './screen.tsx'

type Version = { revision: number; kind: 'published' | 'replaced'; saved_at: string; saved_by: string | null }

type EarlierVersionsProps<Row extends Version> = {
  title: string
  versions: LoadState<{ rows: Row[] }>
  /** Returns the name of a version, shown above its author. */
  getName?: (row: Row) => string
  /** The label of each row's button. */
  buttonLabel: string
  /** Returns what screen readers read after the button's label, such as 'in version 3'. */
  getButtonContext: (row: Row) => string
  dialogTitle: string
  /** Makes a version the draft again; null if the operator lacks the permission. */
  restore: ((revision: number) => Promise<void>) | null
  busy: boolean
  /** Renders a version in the dialog. */
  renderText: (revision: number) => ReactNode
}

/** Lists the earlier versions of a draft. Each can be opened and restored. */
export function EarlierVersions<Row extends Version>(props: EarlierVersionsProps<Row>) {
  const { title, versions, getName, buttonLabel, getButtonContext, dialogTitle, restore, busy, renderText } = props
  const [openVersion, setOpenVersion] = useState<number | null>(null)
  const close = () => setOpenVersion(null)
  return (
    <Panel title={title}>
      <Loaded result={versions} height={80}>
        {({ rows }) => (
          <ul className={styles.rows}>
            {rows.length === 0 && <li>No earlier versions yet. Each published or replaced text is listed here.</li>}
            {rows.map((row) => (
              <li key={row.revision}>
                <div>
                  {getName !== undefined && <b>{getName(row)}</b>}
                  <span>
                    {row.kind === 'published' ? 'Published' : 'Replaced'} <When at={row.saved_at} />
                    {row.saved_by === null ? '' : ` · ${row.saved_by}`}
                  </span>
                </div>
                <Button tone="quiet" onClick={() => setOpenVersion(row.revision)}>
                  {buttonLabel}
                  <span className="visually-hidden"> {getButtonContext(row)}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {openVersion !== null && (
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
                <Button busy={busy} onClick={() => void restore(openVersion).then(close)}>
                  Use it as the draft
                </Button>
              )}
            </>
          }
        >
          {renderText(openVersion)}
        </DialogWindow>
      )}
    </Panel>
  )
}
