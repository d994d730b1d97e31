import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './preview.module.css'

/** The widths of the previewed screens, in px. */
const WIDTHS = { desktop: 1440, phone: 360 } as const

type PreviewProps<Path extends string> = {
  /** Creates the preview. @returns its address, or undefined after a reported failure */
  open: () => Promise<string | undefined>
  busy: boolean
  /** The paths of the preview's pages, with their labels. */
  pages: Readonly<Record<Path, string>>
}

/** Shows real pages with the draft, at the width of a phone or a desktop screen. */
export function PreviewPanel<Path extends string>({ open, busy, pages }: PreviewProps<Path>) {
  const paths = Object.keys(pages) as Path[]
  const [page, setPage] = useState(paths[0] as Path)
  const [width, setWidth] = useState<keyof typeof WIDTHS>('desktop')
  const [opened, setOpened] = useState<string | null>(null)
  const show = async () => {
    const path = await open()
    if (path !== undefined) setOpened(path)
  }
  const address = opened === null ? null : `${opened}${page}`
  return (
    <Panel title="Preview">
      <div className={styles.tools}>
        <Button tone={address === null ? 'primary' : 'secondary'} busy={busy} onClick={() => void show()}>
          {address === null ? 'Show the draft' : 'Show it again'}
        </Button>
        {address !== null && (
          <>
            {paths.length > 1 && <Choice label="Page" options={pages} value={page} onChange={setPage} />}
            <Choice label="Width" options={{ desktop: 'Desktop', phone: 'Phone' }} value={width} onChange={setWidth} />
            <a href={address} target="_blank" rel="noopener">
              Open in a new tab<span className="visually-hidden"> (valid for ten minutes)</span>
            </a>
            <Button tone="quiet" onClick={() => setOpened(null)}>
              Close the preview
            </Button>
          </>
        )}
      </div>
      {address !== null && (
        <div className={styles.preview} data-width={width}>
          <iframe
            key={`${address} ${width}`}
            src={address}
            title={`Preview of the draft: ${pages[page]}`}
            sandbox="allow-same-origin"
            width={WIDTHS[width]}
          />
        </div>
      )}
    </Panel>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  options: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
}

function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{label}</legend>
      {(Object.entries(options) as [Value, string][]).map(([one, name]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
