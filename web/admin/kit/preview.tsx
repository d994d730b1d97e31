import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './preview.module.css'

/** The widths of the previewed screens, in px. */
const WIDTHS = { desktop: 1440, phone: 360 } as const

type PreviewProps<Path extends string> = {
  /** Creates the preview. @returns its address, or undefined after a reported failure */
  createPreview: () => Promise<string | undefined>
  busy: boolean
  /** The paths of the preview's pages, with their labels. */
  pages: Readonly<Record<Path, string>>
}

/** Shows real pages with the draft, at the width of a phone or a desktop screen. */
export function PreviewPanel<Path extends string>({ createPreview, busy, pages }: PreviewProps<Path>) {
  const paths = Object.keys(pages) as Path[]
  const [page, setPage] = useState(paths[0] as Path)
  const [width, setWidth] = useState<keyof typeof WIDTHS>('desktop')
  const [previewPath, setPreviewPath] = useState<string | null>(null)
  const openPreview = async () => {
    const path = await createPreview()
    if (path !== undefined) setPreviewPath(path)
  }
  const address = previewPath === null ? null : `${previewPath}${page}`
  return (
    <Panel title="Preview">
      <div className={styles.tools}>
        <Button tone={address === null ? 'primary' : 'secondary'} busy={busy} onClick={() => void openPreview()}>
          {address === null ? 'Show the draft' : 'Refresh the preview'}
        </Button>
        {address !== null && (
          <>
            {paths.length > 1 && <ChoiceButtons label="Page" options={pages} value={page} onChange={setPage} />}
            <ChoiceButtons
              label="Width"
              options={{ desktop: 'Desktop', phone: 'Phone' }}
              value={width}
              onChange={setWidth}
            />
            <a href={address} target="_blank" rel="noopener">
              Open in a new tab<span className="visually-hidden"> (valid for ten minutes)</span>
            </a>
            <Button tone="quiet" onClick={() => setPreviewPath(null)}>
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

type ChoiceButtonsProps<Value extends string> = {
  label: string
  options: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
}

function ChoiceButtons<Value extends string>({ label, options, value, onChange }: ChoiceButtonsProps<Value>) {
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{label}</legend>
      {(Object.entries(options) as [Value, string][]).map(([option, name]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
